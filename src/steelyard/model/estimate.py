"""Hold a number with its intervals, or the reason why it is undefined.

No NaN, no infinity and no zero stands in for a missing number or a missing bound.
"""

from dataclasses import dataclass
from enum import StrEnum


class Target(StrEnum):
    """What an interval promises to catch."""

    NEW_CASES = "new_cases"  # the score on other cases like these
    RERUN = "rerun"  # the score when these very cases are resampled


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """From `low` to `high`; a missing bound is None. `method` names the formula that made it."""

    low: float | None
    high: float | None
    level: float
    target: Target
    method: str

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low is not None and self.high is not None


class Reason(StrEnum):
    """Why a number is undefined."""

    K_EXCEEDS_N = "k_exceeds_n"  # no unbiased pass@k exists with fewer than k samples
    NO_SAMPLES = "no_samples"  # nothing that counts as evidence
    NO_CASES = "no_cases"  # an empty suite or an empty run
    NOT_MEASURED = "not_measured"  # the input does not hold this quantity
    PARTLY_MEASURED = "partly_measured"  # only some samples hold this quantity, so a total would mislead
    NO_PASSES = "no_passes"  # cost of pass is infinite
    BASELINE_ZERO = "baseline_zero"  # a ratio to zero
    BASELINE_MISSING = "baseline_missing"  # there is no baseline tier to compare with
    TOO_MANY_VALUES = "too_many_values"  # skipped for size; `StatisticsLimit.FULL` computes it
    OTHER_CASES = "other_cases"  # the two sides do not have the same cases
    OPTIONAL_STOPPING = "optional_stopping"  # the samples were generated until something happened


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number, or the reason why there is none; the intervals say how far, and for what, to trust it."""

    value: float | None
    reason: Reason | None = None
    detail: str | None = None
    intervals: tuple[Interval, ...] = ()

    @classmethod
    def of(cls, value: float, *intervals: Interval) -> "Estimate":
        """Wrap a number that is defined."""
        return cls(value=value, intervals=intervals)

    @classmethod
    def undefined(cls, reason: Reason, detail: str | None = None) -> "Estimate":
        """Say why there is no number."""
        return cls(value=None, reason=reason, detail=detail)
