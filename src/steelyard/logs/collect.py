"""Collect the rows of a log while a reader goes through it, and count what is left out."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.record import Record
from steelyard.metrics.exact import exact
from steelyard.model.log import LeftOut, Log, LogOptions, LogRow

ENDINGS = re.compile(r"(\.(csv|eval|gz|html|jsonl?|parquet|ya?ml|zst))+$")
LARGEST_ATTEMPT = 2**31 - 1
LARGEST_TEXTS = 96 * 2**20  # bytes of memory, of all rows of a packed log
TEXTS = ("prompt", "target", "answer", "output")
NAMES_OF_A_TRIAL = ("id", "trial_name")
LONGEST_OUTPUT = 10_000  # characters of what graded an answer; the log itself has the rest


class Collector:
    """Rows and what was left out, in the order of the log."""

    def __init__(self) -> None:
        self.rows: list[LogRow] = []
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._without_verdict: Counter[tuple[str, str]] = Counter()
        self._measured = self._text_memory = 0

    def leave_out(self, what: str, why: str, count: int = 1) -> None:
        """Count something that the log holds and the run does not."""
        if count > 0:
            self._left_out[what, why] += count

    def no_verdict(self, what: str, why: str) -> str:
        """Count a row without a verdict; return the reason as its error."""
        self._without_verdict[what, why] += 1
        return why

    def require_little_text(self, where: str) -> None:
        """Refuse a packed log of which the rows so far hold too much text."""
        for row in self.rows[self._measured :]:
            texts = (getattr(row, name) for name in TEXTS)
            self._text_memory += sum(sys.getsizeof(text) for text in texts if text is not None)
        self._measured = len(self.rows)
        if self._text_memory > LARGEST_TEXTS:
            raise InputError(
                f"{where}: its prompts and answers take more than {LARGEST_TEXTS >> 20} MiB; "
                "divide the log into several"
            )

    def log(
        self,
        tool: str,
        version: str | None = None,
        *,
        tiers: Mapping[str, str] | None = None,
        attempts_known: bool = True,
    ) -> Log:
        """Return all that was collected; a log in which no row has a verdict holds none."""
        has_verdicts = len(self.rows) > self._without_verdict.total()
        apart = self._left_out if has_verdicts else self._left_out + self._without_verdict
        left_out = tuple(LeftOut(what=what, why=why, count=count) for (what, why), count in apart.items())
        return Log(
            tool=tool,
            version=version,
            rows=tuple(self.rows) if has_verdicts else (),
            left_out=left_out,
            tiers=dict(tiers or {}),
            attempts_known=attempts_known,
        )


class Repeats:
    """Numbers the answers to the same case in the order in which they come, from 0.

    One for each file: an answer that a second file holds too then has the same number, and is refused.
    """

    def __init__(self) -> None:
        self._next: Counter[object] = Counter()

    def number(self, *index: object) -> int:
        """Return the number of the next answer at a place."""
        self._next[index] += 1
        return self._next[index] - 1


class Trials:
    """Numbers trials of several runs as repeats, for tools that give every trial a name of its own.

    By that name a copy of a run is refused. Trials without one are numbered within their run.
    """

    def __init__(self) -> None:
        self._repeats = Repeats()
        self._seen: dict[str, str] = {}  # the name of a trial → where it was found
        self._runs: dict[object, set[str]] = {}  # what was tried → the runs that tried it
        self._run = ""

    def begin(self, run: Path) -> None:
        """Begin with the trials of a run."""
        self._run = str(run)

    def number(self, trial: Record, *index: object) -> int:
        """Return the number of the next trial at a place; refuse one that came before."""
        name = next((trial.name(key) for key in NAMES_OF_A_TRIAL if trial.get(key)), None)
        if name is None:
            return self._repeats.number(self._run, index)
        if name in self._seen:
            raise InputError(f"{trial.where}: trial {name[:80]} is in {self._seen[name]} too; import it once")
        self._seen[name] = trial.where
        self._runs.setdefault(index, set()).add(self._run)
        return self._repeats.number(index)

    def note_repeats(self, collector: Collector, what: str) -> None:
        """Say how many runs were counted as repeats of each other, since their names are not kept."""
        repeating = {run for runs in self._runs.values() if len(runs) > 1 for run in runs}
        why = "they try the same tasks, so their trials are counted as repeats"
        collector.leave_out(what, why, len(repeating))


def attempt_of(number: int | None, *, first: int, where: str) -> int:
    """Return an attempt from 0 for a number that a tool counts from `first`."""
    if number is None or not first <= number <= LARGEST_ATTEMPT:
        raise InputError(f"{where}: found repeat {number}, expected a whole number from {first}")
    return number - first


def model_name(options: LogOptions, path: Path) -> str:
    """Return the model of a log that names none: the user's name for it, or that of the file or folder.

    >>> model_name(LogOptions(), Path("gpt-4.1_eval_results.json.gz"))
    'gpt-4.1_eval_results'
    """
    return options.model or (path.name if path.is_dir() else ENDINGS.sub("", path.name)) or "model"


def is_pass(score: float, options: LogOptions) -> bool:
    """Whether a score is a pass where the log itself does not say so.

    >>> is_pass(0.3, LogOptions(pass_score="0.3"))
    True
    """
    return exact(score) >= exact(options.pass_score)


def excerpt(texts: Iterable[str | None]) -> str:
    """Return the grader's output, truncated.

    >>> excerpt(["AssertionError", None, " "])
    'AssertionError'
    """
    return "\n".join(text for text in texts if text and text.strip())[:LONGEST_OUTPUT]
