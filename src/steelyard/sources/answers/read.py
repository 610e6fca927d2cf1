"""Find recorded answers in a file with one JSON object a line, however long the file is.

Every line is checked once, when the file is opened; then only its offset is kept in memory, and its
text is read on demand.
"""

import copyreg
import os
import shutil
import sys
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterator
from functools import partial
from pathlib import Path
from typing import IO, TypeAlias

from steelyard.errors import InputError
from steelyard.model.request import Reply
from steelyard.model.sample import JUDGE_TIER, SampleKey
from steelyard.sources.answers.line import AnswerKey, LineError, parse_line, place_of, reply_of
from steelyard.unpacking import MIB, open_gzip, require_parsable

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")
PROBLEMS_SHOWN = 5
LARGEST_UNPACKED = 2 << 30  # bytes, in a file without a name
LONGEST_LINE = 64 * MIB
MOST_LINES = 300_000  # of a packed file; each may take several hundred bytes

# attempt → line: an array as long as attempts come as 0, 1, 2 …
Lines: TypeAlias = "array[int] | dict[int, int]"


class Answers:
    """The answers of one file; safe to use from many threads.

    A line that says nothing of model, tier, suite or digest answers for every one of them; a line that does
    say it goes first. A model is known by its whole name or by the part behind the provider.
    Lines of the tier `judge` are replies of judges; no other line is one.
    """

    def __init__(self, path: Path, file: IO[bytes], *, most_lines: int = sys.maxsize) -> None:
        """Read the lines of a file; `most_lines` bounds the memory for those of a packed one."""
        self.path = path
        self._most_lines = most_lines
        self._starts = array("q")
        self._index: dict[AnswerKey, Lines] = {}
        self._models: dict[str, None] = {}
        self._read(file)
        shapes = {(model, tier, suite, digest) for model, tier, suite, _, digest in map(_given, self._index)}
        self._shapes = sorted(shapes, key=lambda shape: (-sum(shape), shape))
        # An own descriptor keeps the same bytes when the file is replaced.
        self._descriptor = os.dup(file.fileno())
        self._finalizer = weakref.finalize(self, os.close, self._descriptor)

    def __len__(self) -> int:
        return sum(map(len, self._index.values()))

    def __reduce__(self) -> tuple[object, ...]:  # type: ignore[explicit-override]  # not in Python 3.11
        """Travel as a path: another process, perhaps on another machine, opens the file there."""
        return read_answers, (str(self.path.absolute()),)

    def models(self) -> tuple[str, ...]:
        """Return the models that the file names, in the order in which they come up."""
        return tuple(self._models)

    def has_model(self, model: str) -> bool:
        """Whether some line answers for a model, by its name or for any."""
        names = {model, model.partition("/")[2], None}
        return any(index.model in names for index in self._index if index.tier != JUDGE_TIER)

    def most_attempts(self) -> int:
        """Return how many samples of each case it takes until no answer is left over."""
        return max(map(_next_attempt, self._answers()), default=0)

    def fewest_attempts(self) -> int:
        """Return how many samples of each case can be generated until the first answer is missing."""
        return min(map(_next_attempt, self._answers()), default=0)

    def cases_besides(self, container: Container[str]) -> Counter[str]:
        """Return how many lines answer cases that are not among those known, by case."""
        besides: Counter[str] = Counter()
        for index, lines in self._index.items():
            if index.tier != JUDGE_TIER and index.case not in container:
                besides[index.case] += len(lines)
        return besides

    def _answers(self) -> Iterator[Lines]:
        return (lines for index, lines in self._index.items() if index.tier != JUDGE_TIER)

    def find(self, key: SampleKey) -> Reply | None:
        """Return a recorded answer, or None when there is none."""
        number = self._line(key)
        return None if number is None else self._reply(number)

    def close(self) -> None:
        """Close the file; happens by itself when the answers are no longer referenced."""
        self._finalizer()

    def _line(self, key: SampleKey) -> int | None:
        model, tier, suite, case, digest, attempt = key
        for has_model, has_tier, has_suite, has_digest in self._shapes:
            if tier == JUDGE_TIER and not has_tier:
                continue
            for name in (model, model.partition("/")[2]) if has_model else (None,):
                index = (
                    name,
                    tier if has_tier else None,
                    suite if has_suite else None,
                    case,
                    digest if has_digest else None,
                )
                lines = self._index.get(index)  # type: ignore[call-overload]  # equal to a Place, made faster
                if lines is not None and (number := _line_of(lines, attempt)) is not None:
                    return number
        return None

    def _reply(self, number: int) -> Reply:
        start, end = self._starts[number], self._starts[number + 1]
        line = os.pread(self._descriptor, end - start, start)
        try:
            return reply_of(line)
        except (ValueError, StopIteration, AttributeError, TypeError) as error:
            where = f"{self.path}:{number + 1}"
            raise InputError(f"{where}: the file was changed while it was in use; start again") from error

    def _read(self, file: IO[bytes]) -> None:
        problems = []
        start = 0
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b"")):
            self._require_small(number, line)
            if not number:
                _require_utf8(self.path, line)
            skipped = len(BYTE_ORDER_MARK) if not number and line.startswith(BYTE_ORDER_MARK) else 0
            self._starts.append(start + skipped)
            start += len(line)
            try:
                self._take(number, line[skipped:])
            except LineError as error:
                problems.append(f"{self.path}:{number + 1}: {error}")
                if len(problems) >= PROBLEMS_SHOWN:
                    break
        self._starts.append(start)
        if problems:
            raise InputError("\n".join(problems))
        if not self._index:
            raise InputError(f"{self.path}: there is no answer in this file")

    def _require_small(self, number: int, line: bytes) -> None:
        where = f"{self.path}:{number + 1}"
        if number >= self._most_lines:
            raise InputError(
                f"{where}: a packed file may have {self._most_lines:,} lines; "
                "if you trust it, unpack it and pass the plain file"
            )
        if len(line) > LONGEST_LINE:
            raise InputError(f"{where}: the line is longer than {LONGEST_LINE >> 20} MiB; no answer is")
        if len(line) > MIB:
            require_parsable(line, where)

    def _take(self, number: int, line: bytes) -> None:
        """Put one line into the index."""
        if not line.strip():
            return
        row = parse_line(line)
        if row.get("error"):  # an infrastructure error in an exported run: there is no answer
            return
        index = place_of(row)
        lines = self._index.get(index)
        if lines is None:
            lines = self._index[index] = array("q")
            if index.model is not None and index.tier != JUDGE_TIER:
                self._models.setdefault(index.model)
        attempt = row.get("attempt")
        attempt = len(lines) if not isinstance(attempt, int) else attempt
        first = _line_of(lines, attempt)
        if first is not None:
            raise LineError(
                f"attempt {attempt} of {index.case[:60]!a} is also on line {first + 1}; take one of them out"
            )
        if isinstance(lines, array) and attempt != len(lines):
            lines = self._index[index] = dict(enumerate(lines))
        if isinstance(lines, array):
            lines.append(number)
        else:
            lines[attempt] = number


def read_answers(path: str | Path) -> Answers:
    """Open a file of recorded answers, packed (`.gz`) or plain, or say what is wrong with it."""
    index = Path(path)
    try:
        if index.is_fifo() or index.is_dir():
            kind = "a pipe" if index.is_fifo() else "a folder"
            raise InputError(f"{index}: cannot be read: it is {kind}; give a file with one answer a line")
        with index.open("rb") as file:
            if index.suffix.lower() != ".gz":
                return Answers(index, file)
            with tempfile.TemporaryFile() as unpacked:
                _unpack(index, file, unpacked)
                return Answers(index, unpacked, most_lines=MOST_LINES)
    except OSError as error:
        raise InputError(f"{index}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise InputError(f"{str(index)!r}: cannot be read: {error}") from error


def _unpack(path: Path, packed: IO[bytes], unpacked: IO[bytes]) -> None:
    """Unpack a file into one that has no name: only of that can any line be read without all before it."""
    with open_gzip(packed, path, largest=LARGEST_UNPACKED) as text:
        shutil.copyfileobj(text, unpacked, 1 << 20)
    unpacked.seek(0)


def _require_utf8(path: Path, line: bytes) -> None:
    if line.startswith(OTHER_ENCODINGS):
        raise InputError(f"{path}: the file is UTF-16 text; save it as UTF-8")


def _given(answer_key: AnswerKey) -> Iterator[bool]:
    """Return the given parts of a key."""
    return (part is not None for part in answer_key)


def _line_of(lines: Lines, attempt: int) -> int | None:
    if isinstance(lines, dict):
        return lines.get(attempt)
    return lines[attempt] if attempt < len(lines) else None


def _next_attempt(lines: Lines) -> int:
    return max(lines, default=-1) + 1 if isinstance(lines, dict) else len(lines)


def _as_path(answers: Answers) -> tuple[Callable[[str], Answers], tuple[str]]:
    """Let answers travel as a path: another process, perhaps on another machine, opens the file there."""
    return read_answers, (str(answers.path.absolute()),)


copyreg.pickle(Answers, _as_path)
