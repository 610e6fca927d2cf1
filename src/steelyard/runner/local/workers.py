"""Workers in this process: calls on the event loop, checks on threads."""

from collections.abc import Mapping

from steelyard.providers.limiter import Limiter
from steelyard.runner.check.checking import LocalCheckWorkers
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import CallPolicy, Drawer, Providers
from steelyard.runner.resources import RunResources
from steelyard.runner.workers import Workers


def local_workers(resources: RunResources, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
    """Return the workers of a session."""
    return Workers(
        draw=local_drawer(resources, limiters, budget),
        check=LocalCheckWorkers(resources.checking, threads=resources.settings.threads),
    )


def local_drawer(
    resources: RunResources,
    limiters: Mapping[str, Limiter],
    budget: Budget,
    *,
    providers: Providers | None = None,
) -> Drawer:
    """Return what calls providers from this process: those of the run, or others in their place."""
    settings = resources.settings
    policy = CallPolicy(budget=budget, prices=settings.prices, retries=settings.retries)
    return Drawer(providers or resources.pool, policy, limiters=limiters, calls=resources.calls)
