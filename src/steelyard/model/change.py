"""Name what happened to a score between two runs.

Only the names; how far a score must move is decided in `metrics/regression.py`.
"""

from enum import StrEnum


class ChangeKind(StrEnum):
    """How a score moved from the baseline run to the current one."""

    REGRESSION = "regression"  # it fell by more than the threshold
    IMPROVEMENT = "improvement"  # it rose by more than the threshold
    UNCHANGED = "unchanged"  # it moved by the threshold or less
