"""The workers of a session on a cluster: checks and agents. The driver calls the models."""

import pickle
from collections.abc import Mapping

from steelyard.providers.limiter import Limiter
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.generator import Providers
from steelyard.runner.local.workers import local_generator
from steelyard.runner.ray.agents import ClusterProviders, RemoteAgent
from steelyard.runner.ray.check_workers import RayCheckWorkers
from steelyard.runner.ray.tasks import RayTasks
from steelyard.runner.ray.worker import WorkerSetup
from steelyard.runner.resources import RunResources
from steelyard.runner.workers import Workers


def ray_workers(resources: RunResources, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
    """Return the workers of a session on the existing or a new cluster."""
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
        generate=local_generator(resources, limiters, budget, providers=providers),
        check=RayCheckWorkers(tasks, setup),
    )
