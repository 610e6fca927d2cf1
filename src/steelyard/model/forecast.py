"""Hold what a run would do, take and cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectForecast:
    """What is left to generate of one subject, and what it may cost; None: the price is unknown."""

    model: str
    tier: str
    answers: int
    tokens_in: int
    tokens_out: int
    cost_nano_usd: int | None
    max_cost_nano_usd: int | None  # if every answer is as long as it may be


@dataclass(frozen=True, slots=True, kw_only=True)
class RunForecast:
    """What a run would generate from here on; an estimate, apart from the counts."""

    eval_set: str
    cases: int
    all_cases: int  # of the eval set, chosen or not
    samples: int  # of each case; with a stop rule, at most
    stop_rule: str | None
    subjects: tuple[SubjectForecast, ...]
    earlier: str | None = None  # the run that lengths and times are taken from
    assumed_tokens_out: int | None = None  # of an answer, without an earlier run
    seconds: float | None = None  # None: without an earlier run
    is_replay: bool = False
    has_agents: bool = False
    judges: int = 0  # replies of judges to each answer; they are not in the cost
    # Names that no provider has, with what was meant perhaps; `run` refuses them.
    unknown_providers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def answers(self) -> int:
        """How many answers are left to generate."""
        return sum(subject.answers for subject in self.subjects)

    @property
    def cost_nano_usd(self) -> int | None:
        """What all of it costs by this estimate; None if a price is unknown."""
        return _sum([subject.cost_nano_usd for subject in self.subjects])

    @property
    def max_cost_nano_usd(self) -> int | None:
        """What all of it costs at most; None if a price is unknown."""
        return _sum([subject.max_cost_nano_usd for subject in self.subjects])

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models of unknown price."""
        return tuple(
            dict.fromkeys(subject.model for subject in self.subjects if subject.cost_nano_usd is None)
        )


def _sum(costs: list[int | None]) -> int | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
