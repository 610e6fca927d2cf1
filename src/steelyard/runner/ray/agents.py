"""Let agents work on the machines of a cluster; calls, their limits and their money stay with the driver.

Models are called by the driver itself: one limit for each provider, one budget, one log of calls.
"""

from typing import Any

import ray

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request
from steelyard.ports import Provider
from steelyard.runner.draw.provider_pool import ProviderPool
from steelyard.runner.ray.tasks import RayTasks, WorkerLost
from steelyard.runner.ray.worker import ask_agent
from steelyard.runner.resources import AGENT

CPUS = 0.1  # of a core: an agent mostly waits for its model, and a check takes the other 0.9


class RemoteAgent:
    """An agent that works wherever the cluster has room for it."""

    def __init__(self, tasks: RayTasks, setup: bytes) -> None:
        self._tasks = tasks
        self._setup = setup
        # Not repeated by Ray: an agent that was lost may have spent money, which the driver must count.
        self._ask: Any = ray.remote(num_cpus=CPUS, max_retries=0)(ask_agent)

    async def draw(self, request: Request) -> Reply:
        """Return what the agent made."""
        try:
            reply: Reply = await self._tasks.result(self._ask.remote(self._setup, request))
        except WorkerLost as lost:
            raise ProviderError(str(lost), kind="worker_lost", may_retry=True, may_be_billed=True) from lost
        return reply

    async def close(self) -> None:
        """Do nothing: the tasks are closed by those who check."""


class ClusterProviders:
    """The providers of a run, with its agents on the cluster."""

    def __init__(self, pool: ProviderPool, agent: RemoteAgent) -> None:
        self._pool = pool
        self._agent = agent

    def of(self, name: str) -> Provider:
        """Return a provider."""
        return self._agent if self._pool.settings_of(name).adapter == AGENT else self._pool.of(name)
