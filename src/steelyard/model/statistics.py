"""Hold the seven numbers that describe a list of values.

Computed in `metrics/summaries.py`; an empty list has a count of 0 and nothing else.
"""

from dataclasses import dataclass

from steelyard.model.estimate import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Median, mean, mode, smallest, largest, population standard deviation and count.

    `reason` says why a number is None although `count` is not 0.
    """

    median: float | None
    mean: float | None
    mode: float | None
    min: float | None
    max: float | None
    std_dev: float | None
    count: int
    reason: Reason | None = None
