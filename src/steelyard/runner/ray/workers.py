"""The workers of a session on a cluster: they check answers and run agents. Models are called from here."""

import pickle
from collections.abc import Mapping

from steelyard.providers.limiter import Limiter
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import Providers
from steelyard.runner.local.workers import local_drawer
from steelyard.runner.ray.agents import ClusterProviders, RemoteAgent
from steelyard.runner.ray.check_workers import RayCheckWorkers
from steelyard.runner.ray.tasks import RayTasks
from steelyard.runner.ray.worker import WorkerSetup
from steelyard.runner.resources import RunResources
from steelyard.runner.workers import Workers


def ray_workers(resources: RunResources, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
    """Return the workers of a session on the cluster that there is, or on one that is started."""
    settings = resources.settings
    setup = pickle.dumps(
        WorkerSetup(
            providers=settings.providers,
            sandbox=settings.sandbox,
            allow_unsafe=settings.allow_unsafe,
            share=settings.share,
        )
    )
    tasks = RayTasks()
    providers: Providers = resources.pool
    if settings.instead is None:
        providers = ClusterProviders(resources.pool, RemoteAgent(tasks, setup))
    return Workers(
        draw=local_drawer(resources, limiters, budget, providers=providers),
        check=RayCheckWorkers(tasks, setup),
    )
