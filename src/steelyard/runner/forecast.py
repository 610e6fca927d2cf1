"""Estimate what a run takes before anything is called: answers, tokens, money and time.

Counts are exact. Lengths and times come from an earlier run; without one, lengths are assumed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from steelyard.model.forecast import RunForecast, SubjectForecast
from steelyard.model.price import batch_price
from steelyard.model.request import Request, Usage
from steelyard.model.run import RunCase, Subject
from steelyard.model.sample import SampleKey
from steelyard.providers.prices.price_list import DEFAULT_MAX_TOKENS, PriceList
from steelyard.runner.batch.plan import LONGEST_ANSWER
from steelyard.runner.draw.provider_pool import unknown_providers
from steelyard.runner.plan import RunPlan
from steelyard.runner.requests import Requests, provider_name
from steelyard.runner.settings import RunSettings
from steelyard.store.run.pace import SubjectPace
from steelyard.store.run.progress import CaseName, CaseProgress

ASSUMED_TOKENS_OUT = 500  # of an answer, if no earlier run says
BYTES_OF_TOKEN = 4  # of a prompt, on average


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A run that lengths and times are taken from."""

    address: str
    paces: tuple[SubjectPace, ...]

    def like(self, subject: Subject) -> tuple[SubjectPace, ...]:
        """Return the paces of the same subject; else those of its model; else all."""
        of_model = tuple(one for one in self.paces if one.model == subject.model)
        same = tuple(one for one in of_model if one.tier == subject.tier)
        return same or of_model or self.paces


def forecast(  # noqa: PLR0913  # the plan, how it is executed, and what is known of earlier answers
    plan: RunPlan,
    settings: RunSettings,
    *,
    all_cases: int,
    done: Mapping[CaseName, CaseProgress],
    earlier: Earlier | None = None,
    batch: bool = False,
) -> RunForecast:
    """Return what is left of a plan; `done` is what a resumed run has already.

    With `batch`, every answer is taken to come from a batch.
    """
    known = earlier if earlier is not None and earlier.paces else None
    estimate = _Estimate(plan, settings, known, datetime.now(UTC), batch=batch)
    left = {(one.model, one.tier): _left(plan, one, done) for one in plan.subjects}
    agents = {tier.id for tier in plan.eval_set.tiers if tier.agent}
    return RunForecast(
        eval_set=plan.eval_set.id,
        cases=len(plan.cases),
        all_cases=all_cases,
        samples=plan.samples,
        stop_rule=plan.stop_rule,
        subjects=tuple(estimate.subject(one, left[one.model, one.tier]) for one in plan.subjects),
        earlier=None if known is None else known.address,
        assumed_tokens_out=ASSUMED_TOKENS_OUT if known is None else None,
        seconds=None if known is None else _seconds(plan.subjects, left, known, settings.threads),
        is_replay=settings.instead is not None,
        has_agents=any(_is_agent(one, agents, settings) for one in plan.subjects),
        judges=0 if plan.eval_set.judge is None else len(plan.eval_set.judge.models),
        unknown_providers=_unknown_providers(plan, settings),
    )


def _unknown_providers(plan: RunPlan, settings: RunSettings) -> dict[str, tuple[str, ...]]:
    """Return the misspelt providers; where answers are recorded, no provider is called."""
    if settings.instead is not None:
        return {}
    requests = Requests(plan.eval_set, plan.subjects)
    agents = {tier.agent for tier in plan.eval_set.tiers if tier.command}
    judges = () if plan.eval_set.judge is None else plan.eval_set.judge.models
    names = [requests.provider_of(one.model, one.tier) for one in plan.subjects]
    called = dict.fromkeys([*names, *map(provider_name, judges)])
    return unknown_providers([name for name in called if name not in agents], settings.providers)


class _Estimate:
    """What answers of the subjects of a plan cost."""

    def __init__(
        self,
        plan: RunPlan,
        settings: RunSettings,
        earlier: Earlier | None,
        moment: datetime,
        *,
        batch: bool,
    ) -> None:
        self._requests = Requests(plan.eval_set, plan.subjects)
        self._prices: PriceList = settings.prices
        self._is_free = settings.instead is not None
        self._earlier = earlier
        self._moment = moment
        self._price: Callable[[int], int] = batch_price if batch else int  # of a direct call → of this one
        self._longest = LONGEST_ANSWER if batch else DEFAULT_MAX_TOKENS  # tokens that the run sets aside

    def subject(self, subject: Subject, left: Mapping[RunCase, int]) -> SubjectForecast:
        """Return the forecast of one subject: how many answers to each case are left to draw."""
        paces = () if self._earlier is None else self._earlier.like(subject)
        tokens_out = _mean(paces, lambda one: one.tokens_out)
        tokens_in = _mean(paces, lambda one: one.tokens_in)
        total_in = total_out = 0
        costs: list[int | None] = []
        ceilings: list[int | None] = []
        for case, count in left.items():
            request = self._requests.of(
                SampleKey(subject.model, subject.tier, case.suite, case.case, case.digest, 0)
            )
            most = request.parameters.max_tokens
            expected = round(ASSUMED_TOKENS_OUT if tokens_out is None else tokens_out)
            usage = Usage(
                tokens_in=round(_tokens(request) if tokens_in is None else tokens_in),
                tokens_out=expected if most is None else min(expected, most),
            )
            total_in += count * (usage.tokens_in or 0)
            total_out += count * (usage.tokens_out or 0)
            cost = self._prices.cost_nano_usd(subject.model, usage, self._moment)
            ceiling = self._prices.ceiling_nano_usd(request, self._moment, self._longest)
            costs.append(None if cost is None else count * self._price(cost))
            ceilings.append(None if ceiling is None else count * self._price(ceiling))
        return SubjectForecast(
            model=subject.model,
            tier=subject.tier,
            answers=sum(left.values()),
            tokens_in=total_in,
            tokens_out=total_out,
            cost_nano_usd=0 if self._is_free else _sum(costs),
            max_cost_nano_usd=0 if self._is_free else _sum(ceilings),
        )


def _left(plan: RunPlan, subject: Subject, done: Mapping[CaseName, CaseProgress]) -> dict[RunCase, int]:
    """Return how many answers of a subject are left to draw, by case."""
    found = {}
    for case in plan.cases:
        drawn = done.get((subject.model, subject.tier, case.suite, case.case, case.digest))
        missing = plan.samples_of(subject) - (0 if drawn is None else drawn.samples - drawn.errored)
        if missing > 0:
            found[case] = missing
    return found


def _seconds(
    subjects: Sequence[Subject],
    left: Mapping[tuple[str, str], Mapping[RunCase, int]],
    earlier: Earlier,
    threads: int,
) -> float:
    """Return how long drawing and checking take; providers are called side by side."""
    drawing: dict[str, float] = {}
    checking = 0.0
    for subject in subjects:
        paces, answers = earlier.like(subject), sum(left[subject.model, subject.tier].values())
        provider = provider_name(subject.model)
        pace_s = sum(one.draw_s for one in paces) / sum(one.answers for one in paces)
        drawing[provider] = drawing.get(provider, 0.0) + answers * pace_s
        checking += answers * (_mean(paces, lambda one: one.check_s) or 0.0) / threads
    return max([checking, *drawing.values()])


def _is_agent(subject: Subject, tiers: Iterable[str], settings: RunSettings) -> bool:
    known = settings.providers.get(provider_name(subject.model))
    return subject.tier in tiers or (known is not None and known.adapter == "command")


def _mean(paces: Sequence[SubjectPace], value: Callable[[SubjectPace], float | None]) -> float | None:
    """Return the mean over the answers of several subjects."""
    known = [(found, one.answers) for one in paces if (found := value(one)) is not None]
    answers = sum(count for _, count in known)
    return sum(found * count for found, count in known) / answers if answers else None


def _tokens(request: Request) -> float:
    texts = (request.system_prompt, request.prompt, *request.context.values())
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / BYTES_OF_TOKEN


def _sum(costs: Sequence[int | None]) -> int | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
