"""Keep a provider busy, with as many workers as its concurrency limit."""

import asyncio
from collections.abc import Awaitable, Callable

from steelyard.model.sample import SampleKey


class WorkerPool:
    """The workers of one provider, added as its concurrency limit grows."""

    def __init__(
        self,
        *,
        refill: Callable[[], Awaitable[list[SampleKey]]],
        generate: Callable[[SampleKey], Awaitable[None]],
        concurrency: Callable[[], int],
        is_over: Callable[[], bool],
    ) -> None:
        """`refill` returns the next keys, empty at the end; `generate` handles one key."""
        self._refill = refill
        self._generate = generate
        self._concurrency = concurrency
        self._is_over = is_over
        self._keys: list[SampleKey] = []  # the next one last
        self._is_exhausted = False
        self._working = 0
        self._refilling = asyncio.Lock()

    async def run(self) -> None:
        """Generate until there are no more keys or `is_over`."""
        async with asyncio.TaskGroup() as workers:
            self._add_workers(workers)

    def _add_workers(self, workers: asyncio.TaskGroup) -> None:
        while self._working < self._concurrency() and not self._is_exhausted:
            self._working += 1
            workers.create_task(self._work(workers))
            if not self._keys:
                return  # the first worker fetches keys and adds the others

    async def _work(self, workers: asyncio.TaskGroup) -> None:
        try:
            while not self._is_over() and (key := await self._next()):
                self._add_workers(workers)
                await self._generate(key)
        finally:
            self._working -= 1

    async def _next(self) -> SampleKey | None:
        if not self._keys and not self._is_exhausted:
            async with self._refilling:
                if not self._keys and not self._is_exhausted:
                    self._keys = (await self._refill())[::-1]
                    self._is_exhausted = not self._keys
        return self._keys.pop() if self._keys else None
