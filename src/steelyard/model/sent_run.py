"""Hold what a sink gets: a run with its report, flattened to what trackers of experiments keep.

Made in `app/sinks.py`. It holds no prompt, no answer, no path and no key.
"""

from dataclasses import dataclass

from steelyard.model.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class SentSubject:
    """One model in one tier: its numbers by name, and how its answers were generated.

    An undefined number is left out. `pass_at_1_low` and `pass_at_1_high` bound `pass_at_1` on other cases.
    """

    key: str
    model: str
    tier: str
    parameters: dict[str, str]
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRun:
    """A run and its report.

    A `key` is 32 hexadecimal digits, and the same whenever the same run is sent: a sink finds by it what it
    kept before. `parameters` of a run never change; `tags` tell how this report was made. `files` are the
    report by file name, as text.
    """

    key: str
    name: str
    parameters: dict[str, str]
    tags: dict[str, str]
    subjects: tuple[SentSubject, ...]
    report: Report
    files: dict[str, str]
