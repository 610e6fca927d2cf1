"""Create the resources of a run: sandbox, checkers, providers.

Missing tools, keys and prices raise an error here, before any call.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

from steelyard.checks.environments import install_environments
from steelyard.errors import InfrastructureError, SandboxError, SandboxMissing, UserError
from steelyard.model.call import CallObserver
from steelyard.model.config import ProviderSettings
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Subject
from steelyard.plugins import load
from steelyard.providers.command.options import agent_of
from steelyard.providers.command.words import dropped_parameters
from steelyard.providers.limiter import Limiter
from steelyard.runner.check.checkers import require_programs
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.check.stage import CheckWorkers
from steelyard.runner.engines import WORKERS
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.calls import Calls
from steelyard.runner.generate.generator import Generator
from steelyard.runner.generate.provider_pool import ProviderPool
from steelyard.runner.requests import Requests, provider_name
from steelyard.runner.settings import RunSettings

AGENT = "command"  # the adapter that runs an agent's command line
OPEN_NETWORK = (
    "the agent {name!r} has `network = true` and can send data to any public host. "
    'List the required hosts instead, such as network = ["api.anthropic.com"]'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """The workers of a session: generation in this process, checks here or on a cluster."""

    generate: Generator
    check: CheckWorkers


WorkersMaker = Callable[["RunResources", Mapping[str, Limiter], Budget], Workers]


def _workers_maker(engine: str) -> WorkersMaker:
    if engine not in WORKERS:  # engines of plug-ins can only compute reports
        raise UserError(f"`engine={engine}` cannot generate and check answers; use {' or '.join(WORKERS)}")
    return cast("WorkersMaker", load(WORKERS, engine, group="engines"))


class RunResources:
    """All resources of a run except its store."""

    def __init__(
        self,
        eval_set: EvalSet,
        subjects: Iterable[Subject],
        settings: RunSettings,
        *,
        notify: Callable[[str], None] = lambda _: None,
        observe_call: CallObserver = lambda _: None,
    ) -> None:
        """Create the parts; raises an error if a tool, a key or a price is missing.

        `notify` receives warnings about agents with full network access, and a message before packages are
        installed. `observe_call` receives each finished call.
        """
        self.calls = Calls(observe_call)
        agents = tier_agents(eval_set)
        settings = self.settings = replace(settings, providers={**settings.providers, **agents})
        self._make_workers = _workers_maker(settings.engine)
        planned, judges = tuple(subjects), () if eval_set.judge is None else eval_set.judge.models
        self.models = tuple(dict.fromkeys([*(subject.model for subject in planned), *judges]))
        requests = Requests(eval_set, planned)
        answering = [requests.provider_of(subject.model, subject.tier) for subject in planned]
        self._providers = tuple(dict.fromkeys([*answering, *map(provider_name, judges)]))
        if settings.instead is None:
            _warn_of_open_networks(self._providers, settings.providers, notify)
            for subject, name in zip(planned, answering, strict=True):
                _require_parameters_taken(subject, settings.providers.get(name))
        with _missing_tools():
            sandbox = make_sandbox(settings.sandbox, allow_unsafe=settings.allow_unsafe)
            self.checking = Checking(sandbox, share=settings.share)
            install_environments(eval_set.cases, notify)
            self.checking.prepare(eval_set.cases)
            require_programs(eval_set.cases)
            self.pool = ProviderPool(settings.providers, sandbox, instead=settings.instead)
            self.pool.prepare(self.models, self._providers)
        if settings.instead is None:
            # Last: a misspelt name has no price either, and should be reported as misspelt.
            _require_prices(self.models, settings)

    def limiters(self) -> dict[str, Limiter]:
        """Return a limiter per provider, up to the configured concurrency."""
        return {name: Limiter(most=self.most_calls(name)) for name in self._providers}

    def workers(self, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
        """Return the workers, for the running event loop."""
        return self._make_workers(self, limiters, budget)

    def most_calls(self, provider: str) -> int:
        """Return the configured maximum concurrency of a provider."""
        own, all_of_them = self.pool.settings_of(provider).max_concurrency, self.settings.max_concurrency
        return all_of_them if own is None else min(own, all_of_them)


@contextmanager
def _missing_tools() -> Iterator[None]:
    """Convert errors about missing tools into UserErrors."""
    try:
        yield
    except SandboxMissing as error:
        raise UserError(str(error)) from error
    except SandboxError:  # installed but broken
        raise
    except InfrastructureError as error:
        raise UserError(str(error)) from error


def tier_agents(eval_set: EvalSet) -> dict[str, ProviderSettings]:
    """Return the agents that tiers define by a command, by name."""
    return {
        tier.agent: ProviderSettings(name=tier.agent, kind=AGENT, options={"command": tier.command})
        for tier in eval_set.tiers
        if tier.command
    }


def _warn_of_open_networks(
    names: Iterable[str], settings: Mapping[str, ProviderSettings], notify: Callable[[str], None]
) -> None:
    for name in names:
        provider_settings = settings.get(name)
        if (
            provider_settings
            and provider_settings.adapter == AGENT
            and provider_settings.options.get("network", "").strip().lower() == "true"
        ):
            notify(OPEN_NETWORK.format(name=name))


def _require_parameters_taken(subject: Subject, settings: ProviderSettings | None) -> None:
    """Reject parameters that the agent's command does not use."""
    if settings is None or settings.adapter != AGENT:
        return
    agent = agent_of(settings)
    if dropped := dropped_parameters(agent.words, subject.parameters, agent.ignored):
        raise UserError(f"the provider {settings.name!r}: {dropped}")


def _require_prices(models: Iterable[str], settings: RunSettings) -> None:
    if settings.max_nano_usd is None or settings.allow_unpriced:
        return
    now = datetime.now(UTC)
    unpriced = [model for model in models if not settings.prices.knows(model, now)]
    if unpriced:
        raise UserError(
            f"`max_usd`: the price of {', '.join(unpriced)} is unknown; set it in steelyard.toml under "
            f"[[prices]], or with `price=MODEL=INPUT/OUTPUT`, or allow any cost with `allow_unpriced`"
        )
