"""The history of kept baselines; its JSON form is public and versioned."""

from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.model.shown import Shown

HISTORY_SCHEMA = "steelyard.history/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """A kept baseline: the pass rate of a subject over the cases that all of its baselines have."""

    name: str
    kept_at: str
    note: str | None
    pass_rate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """Where the baselines part best into earlier and later ones: at the entry `first`, counted from 0.

    `change` is the mean pass rate from there on minus that before. `p` is two-sided, and takes into account
    all places and subjects that were looked at; the change `is_shown` where it is at most alpha.
    """

    first: int
    change: float
    p: float
    is_shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectHistory:
    """One subject over its baselines, the oldest first; one alone has no change point."""

    model: str
    tier: str
    cases: int
    entries: tuple[HistoryEntry, ...]
    change_point: ChangePoint | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class History(Shown):
    """All subjects of the kept baselines; `alpha` bounds the chance of any change that is none."""

    schema: str = HISTORY_SCHEMA
    generator: str
    alpha: float
    baselines: int
    subjects: tuple[SubjectHistory, ...]
