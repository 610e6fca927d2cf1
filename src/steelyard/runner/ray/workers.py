"""The workers of a session on a cluster: checks and agents. The driver calls the models."""

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import ray

from steelyard.model.outcome import Outcome
from steelyard.providers.limiter import Limiter
from steelyard.runner.batch_queue import BatchSizer
from steelyard.runner.check.stage import Task
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.generator import Providers
from steelyard.runner.local.workers import local_generator
from steelyard.runner.ray.agents import ClusterProviders, RemoteAgent
from steelyard.runner.ray.engine import cores
from steelyard.runner.ray.tasks import TRIES, RayTasks
from steelyard.runner.ray.worker import Checked, WorkerSetup, check_batch
from steelyard.runner.resources import RunResources, Workers


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


CHECKS_PER_CORE = 2  # one running, one queued
CPUS = 0.9  # of a core; the rest is for generating
BATCH_S = 0.25  # target duration of a batch
MOST_CHECKS = 500  # of a batch


class RayCheckWorkers:
    """Checks batches on a cluster."""

    def __init__(self, tasks: RayTasks, setup: bytes) -> None:
        self._tasks = tasks
        self._setup = setup
        self._sizer = BatchSizer(batch_s=BATCH_S, maximum=MOST_CHECKS)
        self.concurrency = cores() * CHECKS_PER_CORE
        self._check: Any = ray.remote(num_cpus=CPUS, max_retries=TRIES - 1)(check_batch)

    @property
    def batch_size(self) -> int:
        """The number of samples per batch."""
        return self._sizer.size

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Check a batch in a worker."""
        checked: Checked = await self._tasks.result(self._check.remote(self._setup, list(tasks)))
        self._sizer.add(checked.seconds, items=len(tasks))
        return checked.outcomes

    async def close(self) -> None:
        """Cancel running checks."""
        await self._tasks.close()
