"""Check on Ray: in batches, by workers that write nothing. If a worker dies, Ray repeats its batch."""

from collections.abc import Sequence
from typing import Any

import ray

from steelyard.model.outcome import Outcome
from steelyard.runner.batch_size import BatchSizer
from steelyard.runner.check.stage import Task
from steelyard.runner.ray.engine import cores
from steelyard.runner.ray.tasks import TRIES, RayTasks
from steelyard.runner.ray.worker import Checked, check_batch

CHECKS_PER_CORE = 2  # one that runs, and one that waits behind it
CPUS = 0.9  # of a core; the rest is for drawing
BATCH_S = 0.25  # how long the checks of a batch should take together
MOST_CHECKS = 500  # of a batch


class RayCheckWorkers:
    """Checks batches on a cluster."""

    def __init__(self, tasks: RayTasks, setup: bytes) -> None:
        self._tasks = tasks
        self._setup = setup
        self._sizer = BatchSizer(batch_s=BATCH_S, maximum=MOST_CHECKS)
        self.width = cores() * CHECKS_PER_CORE
        self._check: Any = ray.remote(num_cpus=CPUS, max_retries=TRIES - 1)(check_batch)

    @property
    def batch_size(self) -> int:
        """How many samples are checked together."""
        return self._sizer.size

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Check in a worker."""
        checked: Checked = await self._tasks.result(self._check.remote(self._setup, list(tasks)))
        self._sizer.add(checked.seconds, items=len(tasks))
        return checked.outcomes

    async def close(self) -> None:
        """Cancel what is under way."""
        await self._tasks.close()
