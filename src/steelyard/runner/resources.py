"""Make what a run needs: a sandbox, checkers, providers, terms.

What is missing is missed here, before anybody is paid.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

from steelyard.errors import UserError
from steelyard.model.evalset import EvalSet
from steelyard.model.provider import ProviderSettings
from steelyard.model.run import Subject
from steelyard.plugins import CREWS, load
from steelyard.ports import Provider
from steelyard.providers.limiter import MOST, Limiter
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.check.checkers import refuse_missing_programs
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import DEFAULT, make_sandbox
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.provider_pool import ProviderPool, provider_name
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import Requests
from steelyard.runner.workers import Crew

AGENT = "command"  # the adapter that runs an agent's command line


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run is carried out; none of it changes what is asked or how it is scored."""

    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    instead: Provider | None = None  # recorded answers in the place of everybody
    prices: PriceList = field(default_factory=PriceList)
    max_nano_usd: int | None = None
    allow_unpriced: bool = False
    retries: Retries = field(default_factory=Retries)
    max_concurrency: int = MOST  # calls of one provider at a time
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # checks at a time
    engine: str = "local"
    sandbox: str = DEFAULT
    allow_unsafe: bool = False
    share: bool = True  # whether equal answers to one case are checked once


CrewMaker = Callable[["Workshop", Mapping[str, Limiter], Budget], Crew]


def _crew_maker(engine: str) -> CrewMaker:
    if engine not in CREWS:  # those that a plug-in adds can count, and nothing else
        raise UserError(f"--engine {engine}: answers are drawn and checked by {' or '.join(CREWS)}")
    return cast("CrewMaker", load(CREWS, engine, group="engines"))


class Workshop:
    """Everything that a run needs but its store."""

    def __init__(self, eval_set: EvalSet, subjects: Iterable[Subject], settings: RunSettings) -> None:
        """Make the parts; raises an error when a tool, a key or a price is missing."""
        agents = tier_agents(eval_set)
        settings = self.settings = replace(settings, providers={**settings.providers, **agents})
        self._make_crew = _crew_maker(settings.engine)
        self.judge_plan = eval_set.judge
        asked, judges = tuple(subjects), () if eval_set.judge is None else eval_set.judge.models
        self.models = tuple(dict.fromkeys([*(subject.model for subject in asked), *judges]))
        requests = Requests(eval_set, asked)
        answering = [requests.provider_of(subject.model, subject.tier) for subject in asked]
        self._providers = tuple(dict.fromkeys([*answering, *map(provider_name, judges)]))
        sandbox = make_sandbox(settings.sandbox, allow_unsafe=settings.allow_unsafe)
        self.checking = Checking(sandbox, share=settings.share)
        self.checking.prepare(eval_set.languages)
        refuse_missing_programs(eval_set.cases)
        self.pool = ProviderPool(settings.providers, sandbox, instead=settings.instead)
        self.pool.prepare(self.models, self._providers)
        if settings.instead is None:
            # Last: a misspelt name has no price either, and should be told as what it is.
            _refuse_unpriced(self.models, settings)

    def limiters(self) -> dict[str, Limiter]:
        """Return a limiter for each provider; one that the user limits never grows beyond."""
        return {name: Limiter(most=self.most_calls(name)) for name in self._providers}

    def crew(self, limiters: Mapping[str, Limiter], budget: Budget) -> Crew:
        """Return who draws and checks."""
        return self._make_crew(self, limiters, budget)

    def most_calls(self, provider: str) -> int:
        """Return how many calls a provider may get at a time, as the user says."""
        told = self.pool.settings_of(provider).max_concurrency
        return self.settings.max_concurrency if told is None else min(told, self.settings.max_concurrency)


def tier_agents(eval_set: EvalSet) -> dict[str, ProviderSettings]:
    """Return the agents whose command lines stand in the tiers of a set, by the name they are asked by."""
    return {
        tier.agent: ProviderSettings(name=tier.agent, kind=AGENT, options={"command": tier.command})
        for tier in eval_set.tiers
        if tier.command
    }


def _refuse_unpriced(models: Iterable[str], settings: RunSettings) -> None:
    if settings.max_nano_usd is None or settings.allow_unpriced:
        return
    now = datetime.now(UTC)
    unpriced = [model for model in models if not settings.prices.knows(model, now)]
    if unpriced:
        raise UserError(
            f"--max-usd: nobody knows what {', '.join(unpriced)} costs; say it in steelyard.toml under "
            f"[[prices]], or with --price MODEL=INPUT/OUTPUT, or let it cost anything: --allow-unpriced"
        )
