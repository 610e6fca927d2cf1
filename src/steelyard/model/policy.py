"""Hold what a team requires of a change: which metrics must not get worse, where, and by how much."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from steelyard.errors import DomainError


class Metric(StrEnum):
    """What must not get worse. Of cost, latency and refusals, more is worse."""

    PASS = "pass"
    SCORE = "score"
    COST = "cost"
    LATENCY = "latency"
    REFUSALS = "refusals"

    @property
    def is_relative(self) -> bool:
        """Whether its margin is a share of the baseline, and not a difference of rates or scores."""
        return self in {Metric.COST, Metric.LATENCY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A metric that must not get worse by `margin` or more, in some suites or, without any, in all.

    Of passes, scores and refusals a margin of 0.05 is five points, of cost and latency it is five percent.
    """

    metric: Metric
    suites: tuple[str, ...] = ()
    margin: float | None = None  # None: the margin of the rule that it is judged by

    def __post_init__(self) -> None:
        if self.margin is None:
            return
        if self.margin <= 0 or (self.margin > 1 and not self.metric.is_relative):
            raise DomainError(f"the margin of {self.metric.value} lies between 0 and 1, got {self.margin}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePolicy:
    """All requirements of a gate, and the cases, each `case` or `suite/case`, of which no sample may fail.

    Without requirements passes and scores are judged as without a policy. All of it must hold against the
    last `history` kept baselines as well.
    """

    requirements: tuple[Requirement, ...] = ()
    critical: tuple[str, ...] = ()
    history: int = 0

    def __post_init__(self) -> None:
        if self.history < 0:
            raise DomainError(f"`history` is a number of baselines from 0, got {self.history}")

    @property
    def digest(self) -> str:
        """A name of all that the policy requires, by which a changed one is noticed."""
        return sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is required."""
        return not (self.requirements or self.critical or self.history)
