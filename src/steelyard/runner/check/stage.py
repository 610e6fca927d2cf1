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

SAMPLES_AT_ONCE = 2_000  # samples that are read from the store at a time
Task = tuple[Case, Sample]


class CheckWorkers(Protocol):
    """Check answers, here or on a cluster; they write nothing. Used from one event loop."""

    @property
    def batch_size(self) -> int:
        """How many samples are checked together; changes with how long checks take."""

    @property
    def width(self) -> int:
        """How many batches are checked at a time."""

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcome of each sample, in order."""

    async def close(self) -> None:
        """Stop what was started."""


class CheckedSample(NamedTuple):
    """A sample with the outcome of its check."""

    case: Case
    sample: Sample
    outcome: Outcome


class CheckStage:
    """Checks what was committed, in this session or before, and passes the outcomes on."""

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
        """Have a committed sample checked, unless its case has changed or the run is stopping."""
        case = self._work.requests.case_of(sample.key)
        if case is not None and not self._stop.is_requested:
            await self.queue.put((case, sample))

    async def put_unchecked(self) -> None:
        """Have the samples checked that were committed before and have no outcome."""
        loop, samples = asyncio.get_running_loop(), iter(self._work.unchecked)
        while found := await loop.run_in_executor(
            self._writer, lambda: list(islice(samples, SAMPLES_AT_ONCE))
        ):
            for sample in found:
                await self.put(sample)

    async def run(self) -> None:
        """Check until the queue is closed and empty."""
        async with asyncio.TaskGroup() as workers:
            for _ in range(self._workers.width):
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
