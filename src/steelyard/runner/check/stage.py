"""The second stage of a run: check committed answers."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import islice
from typing import NamedTuple, Protocol

from steelyard.model.case import Case
from steelyard.model.outcome import Outcome
from steelyard.model.sample import Sample
from steelyard.runner.batch_queue import BatchQueue
from steelyard.runner.stop_state import StopState
from steelyard.runner.work import Work

SAMPLES_AT_ONCE = 2_000  # samples per read from the store
Task = tuple[Case, Sample]


class CheckWorkers(Protocol):
    """Check answers, locally or on a cluster, without writing; used from one event loop."""

    @property
    def batch_size(self) -> int:
        """The number of samples per batch, adapted to their durations."""

    @property
    def concurrency(self) -> int:
        """The number of concurrent batches."""

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcome of each sample, in order."""

    async def close(self) -> None:
        """Stop the workers."""


class CheckedSample(NamedTuple):
    """A sample with the outcome of its check."""

    case: Case
    sample: Sample
    outcome: Outcome


class CheckStage:
    """Checks committed samples and forwards their outcomes."""

    def __init__(
        self,
        work: Work,
        workers: CheckWorkers,
        *,
        writer: Executor,
        stop: StopState,
        checked: BatchQueue[CheckedSample],
    ) -> None:
        self._work = work
        self._workers = workers
        self._writer = writer
        self._stop = stop
        self._checked = checked
        self.queue: BatchQueue[Task] = BatchQueue(size=lambda: workers.batch_size)
        self._under_way = 0

    @property
    def pending(self) -> int:
        """How many samples have not left this stage."""
        return self._under_way + len(self.queue)

    async def put(self, sample: Sample) -> None:
        """Enqueue a committed sample, unless its case has changed or the run is stopping."""
        case = self._work.requests.case_of(sample.key)
        if case is not None and not self._stop.is_requested:
            await self.queue.put((case, sample))

    async def put_unchecked(self) -> None:
        """Enqueue the samples of earlier sessions without an outcome."""
        loop, samples = asyncio.get_running_loop(), iter(self._work.unchecked)
        while result := await loop.run_in_executor(
            self._writer, lambda: list(islice(samples, SAMPLES_AT_ONCE))
        ):
            for sample in result:
                await self.put(sample)

    async def run(self) -> None:
        """Check until the queue is closed and empty."""
        async with asyncio.TaskGroup() as workers:
            for _ in range(self._workers.concurrency):
                workers.create_task(self._work_on())
        await self._checked.close()

    async def _work_on(self) -> None:
        async for tasks in self.queue:
            if self._stop.ends_checking:
                continue  # a resumed run checks what is left
            self._under_way += len(tasks)
            outcomes = await self._workers.check(tasks)
            self._under_way -= len(tasks)
            for (case, sample), outcome in zip(tasks, outcomes, strict=True):
                await self._checked.put(CheckedSample(case, sample, outcome))
