"""Hold a sample plan: the demanded power, and the samples it takes."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.errors import DomainError
from steelyard.model.verdict import DetectionChances, require_alpha

CASES = 164  # the default of a plan by profile: the size of HumanEval


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a comparison is to see, and how surely."""

    drop: float = 0.05
    power: float = 0.8
    alpha: float = 0.05

    def __post_init__(self) -> None:
        require_alpha(self.alpha)
        if not 0 < self.power < 1:
            raise DomainError(f"the power lies between 0 and 1, got {self.power:g}")
        if not 0 < self.drop <= 1:
            raise DomainError(f"the drop lies between 0 and 1, got {self.drop:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlan:
    """How many samples of each case, in each of two runs, show a drop of the demanded size.

    `noise` is the mean of p (1 - p) over the cases. `chances` maps other numbers of samples to the chances
    of seeing the drop, and one broken case. `tests` share alpha in the gate: the subjects of the report, each
    with its passes and, where they say more, its scores.
    """

    subject: str
    cases: int
    noise: float
    demand: Demand
    samples: int
    chance: float | None  # of detecting the drop, by simulation; None for results of the formula
    chances: Mapping[int, DetectionChances]
    tests: int = 1
