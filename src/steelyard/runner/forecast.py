"""Estimate a run's answers, tokens, cost and time before any call.

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
from steelyard.runner.generate.provider_pool import unknown_providers
from steelyard.runner.plan import RunPlan
from steelyard.runner.requests import Requests, provider_name
from steelyard.runner.settings import RunSettings
from steelyard.store.run.pace import SubjectPace
from steelyard.store.run.progress import CaseName, CaseProgress

ASSUMED_TOKENS_OUT = 500  # of an answer, without an earlier run
BYTES_OF_TOKEN = 4  # of a prompt, on average


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The run that provides lengths and times."""

    address: str
    paces: tuple[SubjectPace, ...]

    def like(self, subject: Subject) -> tuple[SubjectPace, ...]:
        """Return the paces of the same subject; else those of its model; else all."""
        of_model = tuple(pace for pace in self.paces if pace.model == subject.model)
        same = tuple(subject_pace for subject_pace in of_model if subject_pace.tier == subject.tier)
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
    """Forecast the remaining work of a plan; `done` is the progress of a resumed run.

    With `batch`, all answers are priced as batch answers.
    """
    known = earlier if earlier is not None and earlier.paces else None
    estimate = _Estimate(plan, settings, known, datetime.now(UTC), batch=batch)
    remaining = {
        (subject.model, subject.tier): _count_missing(plan, subject, done) for subject in plan.subjects
    }
    agents = {tier.id for tier in plan.eval_set.tiers if tier.agent}
    return RunForecast(
        eval_set=plan.eval_set.id,
        cases=len(plan.cases),
        all_cases=all_cases,
        samples=plan.samples,
        stop_rule=plan.stop_rule,
        subjects=tuple(
            estimate.subject(subject, remaining[subject.model, subject.tier]) for subject in plan.subjects
        ),
        earlier=None if known is None else known.address,
        assumed_tokens_out=ASSUMED_TOKENS_OUT if known is None else None,
        seconds=None
        if known is None
        else _estimate_seconds(plan.subjects, remaining, known, settings.threads),
        is_replay=settings.instead is not None,
        has_agents=any(_is_agent(subject, agents, settings) for subject in plan.subjects),
        judges=0 if plan.eval_set.judge is None else len(plan.eval_set.judge.models),
        unknown_providers=_unknown_providers(plan, settings),
    )


def _unknown_providers(plan: RunPlan, settings: RunSettings) -> dict[str, tuple[str, ...]]:
    """Return the misspelt providers; none for recorded answers."""
    if settings.instead is not None:
        return {}
    requests = Requests(plan.eval_set, plan.subjects)
    agents = {tier.agent for tier in plan.eval_set.tiers if tier.command}
    judges = () if plan.eval_set.judge is None else plan.eval_set.judge.models
    names = [requests.provider_of(subject.model, subject.tier) for subject in plan.subjects]
    called = dict.fromkeys([*names, *map(provider_name, judges)])
    return unknown_providers([name for name in called if name not in agents], settings.providers)


class _Estimate:
    """The estimated costs of a plan's subjects."""

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
        self._longest = LONGEST_ANSWER if batch else DEFAULT_MAX_TOKENS  # tokens to reserve

    def subject(self, subject: Subject, remaining: Mapping[RunCase, int]) -> SubjectForecast:
        """Return the forecast of one subject, from its missing answers per case."""
        paces = () if self._earlier is None else self._earlier.like(subject)
        tokens_out = _average(paces, lambda item: item.tokens_out)
        tokens_in = _average(paces, lambda item: item.tokens_in)
        total_in = total_out = 0
        costs: list[int | None] = []
        ceilings: list[int | None] = []
        for case, count in remaining.items():
            request = self._requests.of(
                SampleKey(subject.model, subject.tier, case.suite, case.case, case.digest, 0)
            )
            most = request.parameters.max_tokens
            expected = round(ASSUMED_TOKENS_OUT if tokens_out is None else tokens_out)
            usage = Usage(
                tokens_in=round(_count_tokens(request) if tokens_in is None else tokens_in),
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
            answers=sum(remaining.values()),
            tokens_in=total_in,
            tokens_out=total_out,
            cost_nano_usd=0 if self._is_free else _sum_known(costs),
            max_cost_nano_usd=0 if self._is_free else _sum_known(ceilings),
        )


def _count_missing(
    plan: RunPlan, subject: Subject, done: Mapping[CaseName, CaseProgress]
) -> dict[RunCase, int]:
    """Return the number of missing answers of a subject, by case."""
    missing = {}
    for case in plan.cases:
        generated = done.get((subject.model, subject.tier, case.suite, case.case, case.digest))
        existing = 0 if generated is None else generated.samples - generated.errored
        if plan.samples_of(subject) > existing:
            missing[case] = plan.samples_of(subject) - existing
    return missing


def _estimate_seconds(
    subjects: Sequence[Subject],
    remaining: Mapping[tuple[str, str], Mapping[RunCase, int]],
    earlier: Earlier,
    threads: int,
) -> float:
    """Return the duration; providers and checks run in parallel."""
    generating: dict[str, float] = {}
    checking = 0.0
    for subject in subjects:
        paces, answers = earlier.like(subject), sum(remaining[subject.model, subject.tier].values())
        provider = provider_name(subject.model)
        pace_s = sum(pace.generate_s for pace in paces) / sum(pace.answers for pace in paces)
        generating[provider] = generating.get(provider, 0.0) + answers * pace_s
        checking += answers * (_average(paces, lambda item: item.check_s) or 0.0) / threads
    return max([checking, *generating.values()])


def _is_agent(subject: Subject, tiers: Iterable[str], settings: RunSettings) -> bool:
    provider = settings.providers.get(provider_name(subject.model))
    return subject.tier in tiers or (provider is not None and provider.adapter == "command")


def _average(paces: Sequence[SubjectPace], value: Callable[[SubjectPace], float | None]) -> float | None:
    """Return the mean over the answers of several subjects."""
    known = [(result, pace.answers) for pace in paces if (result := value(pace)) is not None]
    answers = sum(count for _, count in known)
    return sum(results * count for results, count in known) / answers if answers else None


def _count_tokens(request: Request) -> float:
    texts = (request.system_prompt, request.prompt, *request.context.values())
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / BYTES_OF_TOKEN


def _sum_known(costs: Sequence[int | None]) -> int | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
