"""Run agents on the machines of a cluster.

The driver calls the models itself: one limiter per provider, one budget, one log of calls.
"""

from typing import Any

import ray

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request
from steelyard.ports import Provider
from steelyard.runner.generate.provider_pool import ProviderPool
from steelyard.runner.ray.tasks import RayTasks, WorkerLost
from steelyard.runner.ray.worker import call_agent
from steelyard.runner.resources import AGENT

CPUS = 0.1  # of a core: agents mostly wait for their model; checks take the other 0.9


class RemoteAgent:
    """An agent that runs as a Ray task."""

    def __init__(self, tasks: RayTasks, setup: bytes) -> None:
        self._tasks = tasks
        self._setup = setup
        # No retries by Ray: a lost agent may have spent money, which the driver must count.
        self._ask: Any = ray.remote(num_cpus=CPUS, max_retries=0)(call_agent)

    async def generate(self, request: Request) -> Reply:
        """Return the agent's reply."""
        try:
            reply: Reply = await self._tasks.result(self._ask.remote(self._setup, request))
        except WorkerLost as lost:
            raise ProviderError(str(lost), kind="worker_lost", may_retry=True, may_be_billed=True) from lost
        return reply

    async def close(self) -> None:
        """Do nothing: the check workers close the tasks."""


class ClusterProviders:
    """The providers of a run; agents run on the cluster."""

    def __init__(self, pool: ProviderPool, agent: RemoteAgent) -> None:
        self._pool = pool
        self._agent = agent

    def of(self, name: str) -> Provider:
        """Return a provider."""
        return self._agent if self._pool.settings_of(name).adapter == AGENT else self._pool.of(name)
