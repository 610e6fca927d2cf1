"""Hold the choices a report is made with: policies, scoring rule, column names, options.

Each default is the one that cannot flatter a model, and the command line has the same defaults.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from steelyard.errors import DomainError
from steelyard.model.outcome import Classification
from steelyard.model.units import Number


class Missing(StrEnum):
    """What a case without a single sample counts as."""

    FAIL = "fail"  # as a failure: a model cannot gain by not answering
    SKIP = "skip"  # leave it out of the means
    ERROR = "error"  # refuse to report


class Errors(StrEnum):
    """What a sample counts as that ended in an infrastructure error."""

    EXCLUDE = "exclude"  # no evidence
    FAIL = "fail"  # as a failed sample, the strictest reading


class Duplicates(StrEnum):
    """What to do when two rows claim the same attempt and disagree; equal rows are dropped and counted."""

    ERROR = "error"
    FIRST = "first"
    LAST = "last"


class StatisticsLimit(StrEnum):
    """How far to go for medians, modes and extremes, which need every single value."""

    AUTO = "auto"  # exact up to two million samples, left out above
    FULL = "full"  # exact at any size


class AlsoAtK(StrEnum):
    """An optional figure for each k of pass@k."""

    G_PASS = "g-pass"  # the chance that at least some share of k samples pass
    MAX = "max"  # the expected highest score of k samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A scoring rule by name, version and parameters."""

    name: str
    version: int
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """The requested scoring rule; outcomes determine empty fields."""

    name: str | None = None
    weights: Mapping[str, Number] = field(default_factory=dict)
    penalties: Mapping[Classification, Number] = field(default_factory=dict)
    pass_score: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """Names for what the input files do not say.

    `columns` maps a field to the column that holds it; `model`, `tier` and `suite` apply only to files
    that have no such column. A file without a model is named after itself when `model` is None. `wide` lists
    columns that each hold the outcomes of one model, under its name; columns to `ignore` are not looked at.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)  # other names for models
    tier: str = "T0"
    suite: str = "default"
    delimiter: str | None = None  # of the columns of text files; None: as each header shows
    wide: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyBounds:
    """Latencies that score 1 (or faster) and 0 (or slower)."""

    good_s: Fraction
    bad_s: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """How outcomes become a report."""

    pass_k: tuple[int, ...] | None = None  # None: as the run began; without one, 1
    also_at_k: tuple[AlsoAtK | str, ...] = ()  # more figures for each k from 2 on
    missing: Missing = Missing.FAIL
    errors: Errors = Errors.EXCLUDE
    duplicates: Duplicates = Duplicates.ERROR
    spread: StatisticsLimit = StatisticsLimit.AUTO
    baseline_tier: str = "T0"
    suite_weights: Mapping[str, Fraction] = field(default_factory=dict)
    grade_scale: str = "letters-95"
    latency: LatencyBounds | None = None
    level: float = 0.95
    stop_rule: str | None = None
    lints: bool = True  # whether a linter may have looked at the answers; a run knows by their languages
    expert_usd: Fraction | None = None  # what an expert takes for a case; caps the frontier
    # The expected classification by suite and case, if not `pass`; from the run's eval set.
    expected_kinds: Mapping[tuple[str, str], Classification] = field(default_factory=dict)

    @property
    def ks(self) -> tuple[int, ...]:
        """The k of pass@k."""
        return (1,) if self.pass_k is None else self.pass_k

    def __post_init__(self) -> None:
        """Accept policies by name too, and refuse an unknown name."""
        policies = {"missing": Missing, "errors": Errors, "duplicates": Duplicates, "spread": StatisticsLimit}
        for name, kind in policies.items():
            given = getattr(self, name)
            if given not in list(kind):
                raise DomainError(f"{name} must be one of {', '.join(kind)}, got {given!r}")
            object.__setattr__(self, name, kind(given))
        if isinstance(self.pass_k, int):
            raise DomainError(f"pass_k takes several numbers: pass_k=({self.pass_k},)")
        object.__setattr__(self, "also_at_k", _figures(self.also_at_k))


def _figures(named: Iterable[str]) -> tuple[AlsoAtK, ...]:
    """Return the figures of some names, each once and in their own order, or refuse an unknown name."""
    requested = set(named)
    if unknown := sorted(requested - set(AlsoAtK)):
        raise DomainError(
            f"`also_at_k={unknown[0]}`: there is no such figure; choose from {', '.join(AlsoAtK)}"
        )
    return tuple(figure for figure in AlsoAtK if figure in requested)
