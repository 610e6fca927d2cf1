"""Hold what a pass costs, which may be infinite.

Infinity is a flag, never a float: JSON has no infinity and a zero or a null alone would mislead.
"""

from dataclasses import dataclass

from steelyard.model.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class CostOfPass:
    """The money spent for each pass.

    Without a pass the value is None, `infinite` is True, and `lower_bound` is the least it may be (95 %);
    without samples nothing is known: None, False and None.
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
