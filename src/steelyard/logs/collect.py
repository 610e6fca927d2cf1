"""Collect the rows of a log while a reader goes through it, and count what is left out."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from steelyard.errors import InputError
from steelyard.metrics.exact import exact
from steelyard.model.log import LeftOut, Log, LogOptions, LogRow

ENDINGS = re.compile(r"(\.(csv|eval|gz|html|jsonl?|parquet|ya?ml|zst))+$")
LARGEST_ATTEMPT = 2**31 - 1
LONGEST_OUTPUT = 10_000  # characters of what graded an answer; the log itself has the rest


class Collector:
    """Rows and what was left out, in the order of the log."""

    def __init__(self) -> None:
        self.rows: list[LogRow] = []
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._without_verdict: Counter[tuple[str, str]] = Counter()

    def leave_out(self, what: str, why: str, count: int = 1) -> None:
        """Count something that the log holds and the run does not."""
        if count > 0:
            self._left_out[what, why] += count

    def no_verdict(self, what: str, why: str) -> str:
        """Count a row that says not whether it passed; return why, as its error, by which nothing is lost."""
        self._without_verdict[what, why] += 1
        return why

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
    """Numbers the answers to the same case in the order in which they come, from 0."""

    def __init__(self) -> None:
        self._next: Counter[object] = Counter()

    def number(self, *place: object) -> int:
        """Return the number of the next answer at a place."""
        self._next[place] += 1
        return self._next[place] - 1


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
    """Return what graded an answer said, cut where it is long.

    >>> excerpt(["AssertionError", None, " "])
    'AssertionError'
    """
    return "\n".join(text for text in texts if text and text.strip())[:LONGEST_OUTPUT]
