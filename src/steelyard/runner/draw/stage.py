"""The first stage of a run: draw what is undrawn, commit each answer, and pass it on to be checked.

An answer is committed before it is checked, since it was paid for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import islice

from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.batch_queue import BatchQueue, chunk_name, commit_queue
from steelyard.runner.draw.drawer import Drawer, StopDrawing
from steelyard.runner.draw.waiting import GivenUp
from steelyard.runner.draw.worker_pool import WorkerPool
from steelyard.runner.stop_state import StopState
from steelyard.runner.work import Work

KEYS_AT_ONCE = 2_000  # keys that are read from the store at a time


class DrawStage:
    """Draws from all providers at the same time, so a slow one does not delay the others."""

    def __init__(
        self,
        work: Work,
        drawer: Drawer,
        *,
        writer: Executor,
        stop: StopState,
        to_check: Callable[[Sample], Awaitable[None]],
    ) -> None:
        self._work = work
        self._drawer = drawer
        self._writer = writer
        self._stop = stop
        self._to_check = to_check
        self.under_way = 0  # requests that are being drawn
        self._planned = 0  # keys that were read from the store and are not drawn yet
        self._drawn: BatchQueue[Sample] = commit_queue(is_idle=lambda: not self._planned)
        self._in_commit: list[Sample] = []

    @property
    def pending(self) -> int:
        """How many samples have not left this stage."""
        return self._planned + len(self._drawn)

    async def run(self) -> None:
        """Draw everything, or until it is stopped, and commit it."""
        self._stop.on_stop.append(lambda: self._drawer.end_waiting(self._stop.ends_drawing))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._draw_all())
            tasks.create_task(self._commit_all())

    def rescue(self) -> None:
        """Commit the answers that a stopped session still holds; a chunk is never committed twice."""
        for batch in (self._in_commit, self._drawn.drain()):
            if batch:
                self._commit(batch)
                self._count(batch)

    async def _draw_all(self) -> None:
        async with asyncio.TaskGroup() as pools:
            for provider, keys in self._work.undrawn.items():
                pools.create_task(self._pool(provider, keys).run())
        await self._drawn.close()

    def _pool(self, provider: str, keys: Iterator[SampleKey]) -> WorkerPool:
        return WorkerPool(
            refill=lambda: self._next_keys(provider, keys),
            draw=lambda key: self._draw(provider, key),
            width=lambda: self._drawer.width(provider),
            is_over=lambda: self._stop.ends_drawing(provider),
        )

    async def _next_keys(self, provider: str, keys: Iterator[SampleKey]) -> list[SampleKey]:
        if self._work.scheduler is None:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._writer, lambda: list(islice(keys, KEYS_AT_ONCE)))
        else:
            is_over = partial(self._stop.ends_drawing, provider)
            found = await self._work.scheduler.next_keys(provider, is_over=is_over)
        self._planned += len(found)
        return found

    async def _draw(self, provider: str, key: SampleKey) -> None:
        self.under_way += 1
        try:
            sample = await self._drawer.draw_one(self._work.requests.of(key))
        except StopDrawing as stop:
            self._stop.end_drawing(provider, stop.reason)
            return
        except GivenUp:
            return
        finally:
            self.under_way -= 1
            self._planned -= 1
        await self._drawn.put(sample)

    async def _commit_all(self) -> None:
        loop = asyncio.get_running_loop()
        async for batch in self._drawn:
            self._in_commit = batch
            await loop.run_in_executor(self._writer, self._commit, batch)
            # At once: what is committed and not counted would be taken for money spent without an answer.
            self._count(batch)
            self._in_commit = []
            for sample in batch:
                await self._to_check(sample)

    def _commit(self, batch: Sequence[Sample]) -> None:
        self._work.store.add_samples(batch, chunk=chunk_name(batch))

    def _count(self, batch: Sequence[Sample]) -> None:
        for sample in batch:
            self._work.tally.add_sample(sample)
