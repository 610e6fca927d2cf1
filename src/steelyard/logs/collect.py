"""Collect the rows of a log, and count what is left out."""

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
LARGEST_TEXTS = 96 * 2**20  # bytes of memory for the rows of a compressed log
TEXTS = ("prompt", "target", "answer", "output")
NAMES_OF_A_TRIAL = ("id", "trial_name")
LONGEST_OUTPUT = 10_000  # characters of the grader's output


class Collector:
    """Rows and counts of what was left out, in the order of the log."""

    def __init__(self) -> None:
        self.rows: list[LogRow] = []
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._without_verdict: Counter[tuple[str, str]] = Counter()
        self._measured = self._text_memory = 0

    def leave_out(self, what: str, why: str, count: int = 1) -> None:
        """Count content of the log that a run cannot store."""
        if count > 0:
            self._left_out[what, why] += count

    def no_verdict(self, what: str, why: str) -> str:
        """Count a row without a verdict; return the reason as its error."""
        self._without_verdict[what, why] += 1
        return why

    def require_little_text(self, where: str) -> None:
        """Raise InputError if the rows of a compressed log have too much text."""
        for row in self.rows[self._measured :]:
            texts = (getattr(row, name) for name in TEXTS)
            self._text_memory += sum(sys.getsizeof(text) for text in texts if text is not None)
        self._measured = len(self.rows)
        if self._text_memory > LARGEST_TEXTS:
            raise InputError(
                f"{where}: its prompts and answers take more than {LARGEST_TEXTS >> 20} MiB; "
                "split the log into several"
            )

    def log(
        self,
        tool: str,
        version: str | None = None,
        *,
        tiers: Mapping[str, str] | None = None,
        attempts_known: bool = True,
    ) -> Log:
        """Return the collected log, without rows if none has a verdict."""
        has_verdicts = len(self.rows) > self._without_verdict.total()
        counts = self._left_out if has_verdicts else self._left_out + self._without_verdict
        left_out = tuple(LeftOut(what=what, why=why, count=count) for (what, why), count in counts.items())
        return Log(
            tool=tool,
            version=version,
            rows=tuple(self.rows) if has_verdicts else (),
            left_out=left_out,
            tiers=dict(tiers or {}),
            attempts_known=attempts_known,
        )


class Repeats:
    """Numbers repeated answers to a case in their order, from 0.

    Use one for each file: a copy of an answer in a second file then gets the same number, and is rejected.
    """

    def __init__(self) -> None:
        self._next: Counter[object] = Counter()

    def number(self, *key: object) -> int:
        """Return the number of the next answer with this key."""
        self._next[key] += 1
        return self._next[key] - 1


class Trials:
    """Numbers trials of several runs as repeats, for tools that name every trial.

    Copies of a run are rejected by these names. Trials without a name are numbered within their run.
    """

    def __init__(self) -> None:
        self._repeats = Repeats()
        self._seen: dict[str, str] = {}  # name of a trial → its location
        self._runs: dict[object, set[str]] = {}  # key of a task → its runs
        self._run = ""

    def begin(self, run: Path) -> None:
        """Start the trials of a run."""
        self._run = str(run)

    def number(self, trial: Record, *key: object) -> int:
        """Return the number of the next trial with this key; raises InputError for a copy."""
        name = next((trial.name(field) for field in NAMES_OF_A_TRIAL if trial.get(field)), None)
        if name is None:
            return self._repeats.number(self._run, key)
        if name in self._seen:
            raise InputError(
                f"{trial.where}: trial {name[:80]} is also in {self._seen[name]}; import it once"
            )
        self._seen[name] = trial.where
        self._runs.setdefault(key, set()).add(self._run)
        return self._repeats.number(key)

    def note_repeats(self, collector: Collector, what: str) -> None:
        """Record how many runs were merged as repeats, since their names are lost."""
        repeating = {run for runs in self._runs.values() if len(runs) > 1 for run in runs}
        why = "runs of the same tasks are merged as repeats"
        collector.leave_out(what, why, len(repeating))


def attempt_of(number: int | None, *, first: int, where: str) -> int:
    """Convert a tool's number, counted from `first`, to an attempt counted from 0."""
    if number is None or not first <= number <= LARGEST_ATTEMPT:
        raise InputError(f"{where}: found repeat {number}, expected a whole number from {first}")
    return number - first


def model_name(options: LogOptions, path: Path) -> str:
    """Return the model of a log without one: the user's option, else the name of the file or folder.

    >>> model_name(LogOptions(), Path("gpt-4.1_eval_results.json.gz"))
    'gpt-4.1_eval_results'
    """
    return options.model or (path.name if path.is_dir() else ENDINGS.sub("", path.name)) or "model"


def is_pass(score: float, options: LogOptions) -> bool:
    """Whether a score is a pass, for logs without verdicts.

    >>> is_pass(0.3, LogOptions(pass_score="0.3"))
    True
    """
    return exact(score) >= exact(options.pass_score)


def excerpt(texts: Iterable[str | None]) -> str:
    """Join the grader's messages, truncated.

    >>> excerpt(["AssertionError", None, " "])
    'AssertionError'
    """
    return "\n".join(text for text in texts if text and text.strip())[:LONGEST_OUTPUT]
