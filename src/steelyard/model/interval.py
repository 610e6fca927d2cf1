"""Hold a range of plausible values, with what it is a range for.

A bound that the data cannot give is None; no infinity ever stands in for it.
"""

from dataclasses import dataclass
from enum import StrEnum


class Target(StrEnum):
    """What an interval promises to catch."""

    NEW_CASES = "new_cases"  # the score on other cases like these
    RERUN = "rerun"  # the score when these very cases are drawn again


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
