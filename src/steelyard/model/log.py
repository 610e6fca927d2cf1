"""The content of another tool's log: one row per answer, and the skipped entries with reasons.

The modules in `logs/` read and write these records; the store keeps them as a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.model.outcome import Classification
from steelyard.model.units import Number

IMPORTED = "imported"  # the language of a case whose answers were graded elsewhere: no checker knows it


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One answer to one case; a value that the log does not hold is None, never 0.

    `passed` is None for an infrastructure error, which `error` names. `prompt` and `target` belong to the
    case; `output` is the output of the grader. Money is in USD, time in seconds.
    """

    model: str
    tier: str = "T0"
    suite: str = "default"
    case: str
    attempt: int
    passed: bool | None
    classification: Classification | None = None
    score: float | None = None
    error: str | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    finish_reason: str | None = None
    prompt: str | None = None
    target: str | None = None
    answer: str | None = None
    output: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """Which answer this is."""
        return self.model, self.tier, self.suite, self.case, self.attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What an import or an export does not keep, why, and how often that happened."""

    what: str
    why: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log of another tool, as rows.

    `attempts_known` is False if the log counts passed repeats without identifying them: their
    numbers then mean nothing. `tiers` holds names for ways of asking.
    """

    tool: str
    version: str | None = None
    rows: tuple[LogRow, ...]
    left_out: tuple[LeftOut, ...] = ()
    tiers: Mapping[str, str] = field(default_factory=dict)
    attempts_known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions:
    """How to read a log: names for what it does not say, and which of its scores counts.

    `model`, `tier` and `suite` apply only where the log has none. A score of `pass_score` or more is a pass
    where the log itself does not say what passed.
    """

    model: str | None = None
    tier: str = "T0"
    suite: str | None = None
    scorer: str | None = None
    pass_score: Number = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSource:
    """Where an imported run comes from: kept in its manifest."""

    tool: str
    version: str | None = None
    files: dict[str, str] = field(default_factory=dict)  # name → SHA-256 of a file
    left_out: tuple[LeftOut, ...] = ()
    attempts_known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRun:
    """A run as another tool gets it: all rows in order, and names for them.

    `planned` is the number of samples that a model and tier should have of each of `cases` (suite, name)
    have. It is empty where nothing is missing: a run without a plan, or one that a stop rule ends.
    """

    id: str
    created_at: str
    generator: str
    rows: tuple[LogRow, ...]
    cases: tuple[tuple[str, str], ...] = ()
    planned: Mapping[tuple[str, str], int] = field(default_factory=dict)
    honeypots: int = 0  # rows that are left out: of cases that no honest answer passes


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The result of an export: the files, how many rows they hold, and what the form has no place for."""

    files: tuple[str, ...]
    rows: int
    left_out: tuple[LeftOut, ...] = ()
