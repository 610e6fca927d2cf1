"""Hold the parts of a report about one subject: statistics, letter grade, coverage and cost of a pass.

Computed in `metrics/` and `analysis/`. An infinite cost is a flag, because JSON has no infinity.
"""

from dataclasses import dataclass
from enum import StrEnum

from steelyard.model.estimate import Interval, Reason

FEWEST_PASSES = 5  # fewer bound the cost of a pass from below only


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Median, mean, mode, smallest, largest, population standard deviation and count.

    `reason` explains a None although `count` is not 0.
    """

    median: float | None
    mean: float | None
    mode: float | None
    min: float | None
    max: float | None
    std_dev: float | None
    count: int
    reason: Reason | None = None


class GradeBasis(StrEnum):
    """Which number a letter grades."""

    CASE_MEAN = "case_mean"  # the mean score over cases
    MEDIAN_RUN = "median_run"  # the median of the scores of the runs
    MEAN_RUN = "mean_run"  # the mean of the runs, where each of them only passes or fails


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A letter for one number, or None where that number is undefined.

    `probabilities` are the odds of each letter for new cases of the same kind, or for as many new runs;
    empty if there are too few to estimate them. `of` names the graded number.
    """

    letter: str | None
    scale: str
    probabilities: dict[str, float]
    of: GradeBasis | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How complete the outcomes of one subject are.

    `expected`, `seen`, `missing` and `unknown` count cases; `duplicate` and `errored` count samples.
    The names are capped; the counts are not.
    """

    expected: int
    seen: int
    missing: int
    unknown: int
    duplicate: int
    errored: int
    missing_cases: tuple[str, ...] = ()
    unknown_cases: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing, unknown, repeated or broken."""
        return not (self.missing or self.unknown or self.duplicate or self.errored)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostOfPass:
    """The money spent for each pass.

    Without a pass the value is None, `infinite` is True, and `lower_bound` is the least it may be, at the
    level of the report; without samples nothing is known: None, False and None.
    """

    value: float | None
    infinite: bool = False
    lower_bound: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierCostOfPass:
    """The mean over problems of the cheapest way to a pass; for `capped` problems that is the human's price.

    Compare two of them only when both were made with the same number of samples for each problem.
    """

    value: float | None
    infinite: bool
    problems: int
    capped: int
