"""Draw on Ray: in batches, by workers that write nothing; the budget stays with the driver.

If a worker or a machine dies, its batch is drawn again.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import ray

from steelyard.model.progress import StopCause
from steelyard.model.request import Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.draw.budget import Reservation
from steelyard.runner.draw.drawer import OVER_BUDGET, SETTLING_S, CallPolicy, StopDrawing
from steelyard.runner.ray import tasks as ray_tasks
from steelyard.runner.ray.tasks import RayTasks, WorkerLost
from steelyard.runner.ray.worker import Drawn, NotDrawn, draw_batch

DRAWS_PER_CORE = 2  # batches that are drawn at a time: they mostly wait, but each takes a process
CPUS = 0.1 / DRAWS_PER_CORE  # a check takes the other 0.9 of a core, so drawing finds room beside it
OVERDRAWN = "calls failed again and again after they may have been billed; what was set aside is used up"


class RayDrawWorkers:
    """Draws batches on a cluster.

    What a batch may cost at most is reserved before it is sent, and its worker spends no more than that.
    What a lost worker spent is unknown, so its whole reservation counts as spent.
    """

    batch_size = 50  # a task costs a millisecond, however much is in it

    def __init__(
        self, tasks: RayTasks, setup: bytes, policy: CallPolicy, *, widths: Mapping[str, int]
    ) -> None:
        """Set how many batches each provider gets at a time in `widths`; `setup` is for the workers."""
        self._tasks = tasks
        self._setup = setup
        self._policy = policy
        self._budget = policy.budget
        self._widths = widths
        # Not repeated by Ray: if a drawing worker dies, the driver must know that it may have paid.
        self._draw: Any = ray.remote(num_cpus=CPUS, max_retries=0)(draw_batch)

    def width(self, provider: str) -> int:
        """Return how many batches are drawn from a provider at a time."""
        return self._widths[provider]

    async def draw(self, requests: Sequence[Request]) -> list[Sample | StopDrawing]:
        """Draw in a worker, as many at a time as the budget has room for, until nothing is left."""
        batch = _Batch(requests)
        while remaining := batch.remaining():
            reservation, share = await self._reserve(remaining)
            if reservation is None:
                batch.stop(StopDrawing(OVER_BUDGET, cause=StopCause.BUDGET))
            else:
                await self._send(batch, share, reservation)
        return batch.results()

    async def close(self) -> None:
        """Cancel what is under way."""
        await self._tasks.close()

    async def _reserve(self, requests: Sequence[Request]) -> tuple[Reservation | None, Sequence[Request]]:
        """Reserve what as many requests as possible may cost; None: there is no room for even the first."""
        sums = list(accumulate(map(self._policy.max_cost, requests)))
        while True:
            for count in range(len(requests), 0, -1):
                if reservation := self._budget.reserve(sums[count - 1]):
                    return reservation, requests[:count]
            if self._budget.reserved == 0:
                return None, ()
            await asyncio.sleep(SETTLING_S)  # batches under way mostly cost less than was reserved for them

    async def _send(self, batch: "_Batch", share: Sequence[Request], reservation: Reservation) -> None:
        """Have a share drawn, and settle what it cost."""
        cap = None if self._budget.cap is None else reservation.amount
        spent = None  # unknown as long as the worker has not reported
        try:
            drawn: Drawn = await self._tasks.result(self._draw.remote(self._setup, list(share), cap))
            spent = drawn.spent
            batch.take(drawn)
        except WorkerLost as lost:
            batch.lose(lost)
        finally:
            reservation.settle(spent)


class _Batch:
    """Requests that are drawn together, and the results so far."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self._requests = requests
        self._found: dict[SampleKey, Sample | StopDrawing] = {}
        self._overdrawn: Counter[SampleKey] = Counter()
        self._losses = 0

    def remaining(self) -> list[Request]:
        """Return the requests without a result."""
        return [request for request in self._requests if request.key not in self._found]

    def results(self) -> list[Sample | StopDrawing]:
        """Return the result of each request, in order."""
        return [self._found[request.key] for request in self._requests]

    def stop(self, stop: StopDrawing) -> None:
        """Draw nothing more."""
        self._found.update((request.key, stop) for request in self.remaining())

    def lose(self, lost: WorkerLost) -> None:
        """Count the loss of a worker; its share is sent again, a few times."""
        self._losses += 1
        if self._losses >= ray_tasks.TRIES:
            raise lost

    def take(self, drawn: Drawn) -> None:
        """Take the results of a worker. What its reservation did not suffice for is sent again with more."""
        for key, result in drawn.found.items():
            if not isinstance(result, NotDrawn):
                self._found[key] = result
            elif result.cause is not StopCause.BUDGET:
                self._found[key] = StopDrawing(
                    result.message, cause=result.cause, model=result.model, near=result.near
                )
            else:
                self._overdrawn[key] += 1
                if self._overdrawn[key] >= ray_tasks.TRIES:
                    self._found[key] = StopDrawing(OVERDRAWN, cause=StopCause.PROVIDER)
