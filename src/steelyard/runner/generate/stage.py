"""The first stage of a run: generate pending answers, commit them, forward them to the check.

Answers are committed before they are checked, since they were paid for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import islice

from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.batch_queue import BatchQueue, chunk_name, commit_queue
from steelyard.runner.generate.calls import GivenUp
from steelyard.runner.generate.generator import Generator, StopGenerating
from steelyard.runner.generate.worker_pool import WorkerPool
from steelyard.runner.stop_state import StopState
from steelyard.runner.work import Work

KEYS_AT_ONCE = 2_000  # keys per read from the store


class GenerateStage:
    """Generates with all providers in parallel: a slow one does not delay the others."""

    def __init__(
        self,
        work: Work,
        generator: Generator,
        *,
        writer: Executor,
        stop: StopState,
        to_check: Callable[[Sample], Awaitable[None]],
    ) -> None:
        self._work = work
        self._generator = generator
        self._writer = writer
        self._stop = stop
        self._to_check = to_check
        self.under_way = 0  # requests that are being generated
        self._planned = 0  # keys read from the store and not generated yet
        self._generated: BatchQueue[Sample] = commit_queue(is_idle=lambda: not self._planned)
        self._in_commit: list[Sample] = []

    @property
    def pending(self) -> int:
        """How many samples have not left this stage."""
        return self._planned + len(self._generated)

    async def run(self) -> None:
        """Generate and commit everything, or until stopped."""
        self._stop.on_stop.append(lambda: self._generator.end_waiting(self._stop.ends_generation))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._generate_all())
            tasks.create_task(self._commit_all())

    def rescue(self) -> None:
        """Commit the uncommitted answers of a stopped session; idempotent."""
        for batch in (self._in_commit, self._generated.drain()):
            if batch:
                self._commit(batch)
                self._count(batch)

    async def _generate_all(self) -> None:
        async with asyncio.TaskGroup() as pools:
            for provider, keys in self._work.pending.items():
                pools.create_task(self._pool(provider, keys).run())
        await self._generated.close()

    def _pool(self, provider: str, keys: Iterator[SampleKey]) -> WorkerPool:
        return WorkerPool(
            refill=lambda: self._next_keys(provider, keys),
            generate=lambda key: self._generate(provider, key),
            concurrency=lambda: self._generator.concurrency(provider),
            is_over=lambda: self._stop.ends_generation(provider),
        )

    async def _next_keys(self, provider: str, keys: Iterator[SampleKey]) -> list[SampleKey]:
        if self._work.scheduler is None:
            loop = asyncio.get_running_loop()
            sample_keys = await loop.run_in_executor(self._writer, lambda: list(islice(keys, KEYS_AT_ONCE)))
        else:
            is_over = partial(self._stop.ends_generation, provider)
            sample_keys = await self._work.scheduler.next_keys(provider, is_over=is_over)
        self._planned += len(sample_keys)
        return sample_keys

    async def _generate(self, provider: str, key: SampleKey) -> None:
        self.under_way += 1
        try:
            sample = await self._generator.generate_one(self._work.requests.of(key))
        except StopGenerating as stop:
            self._stop.end_generation(provider, stop.reason)
            return
        except GivenUp:
            return
        finally:
            self.under_way -= 1
            self._planned -= 1
        await self._generated.put(sample)

    async def _commit_all(self) -> None:
        loop = asyncio.get_running_loop()
        async for batch in self._generated:
            self._in_commit = batch
            await loop.run_in_executor(self._writer, self._commit, batch)
            # Immediately: a committed but uncounted answer would count as unbillable spend.
            self._count(batch)
            self._in_commit = []
            for sample in batch:
                await self._to_check(sample)

    def _commit(self, batch: Sequence[Sample]) -> None:
        self._work.store.add_samples(batch, chunk=chunk_name(batch))

    def _count(self, batch: Sequence[Sample]) -> None:
        for sample in batch:
            self._work.tally.add_sample(sample)
