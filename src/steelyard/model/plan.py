"""Hold a sample plan: the demanded power, and the samples it takes."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.model.verdict import DetectionChances


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a comparison is to see, and how surely."""

    drop: float = 0.05
    power: float = 0.8
    alpha: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlan:
    """How many samples of each case, in each of two runs, show a drop of the demanded size.

    `noise` is the mean of p (1 - p) over the cases. `chances` maps other numbers of samples to the chances
    of seeing the drop, and one broken case.
    """

    subject: str
    cases: int
    noise: float
    demand: Demand
    samples: int
    chance: float | None  # of seeing the drop with them, by simulation; None where a formula alone says so
    chances: Mapping[int, DetectionChances]
