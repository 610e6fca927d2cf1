"""Workers in this process: calls on the event loop, checks on threads."""

from collections.abc import Mapping

from steelyard.providers.limiter import Limiter
from steelyard.runner.check.checking import LocalCheckWorkers
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.generator import CallPolicy, Generator, Providers
from steelyard.runner.resources import RunResources, Workers


def local_workers(resources: RunResources, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
    """Return the workers of a session."""
    return Workers(
        generate=local_generator(resources, limiters, budget),
        check=LocalCheckWorkers(resources.checking, threads=resources.settings.threads),
    )


def local_generator(
    resources: RunResources,
    limiters: Mapping[str, Limiter],
    budget: Budget,
    *,
    providers: Providers | None = None,
) -> Generator:
    """Return a generator with the run's providers, or with `providers`."""
    settings = resources.settings
    policy = CallPolicy(budget=budget, prices=settings.prices, retries=settings.retries)
    return Generator(providers or resources.pool, policy, limiters=limiters, calls=resources.calls)
