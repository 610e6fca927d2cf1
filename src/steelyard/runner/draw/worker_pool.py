"""Keep a provider busy: as many workers as it allows at the moment, each drawing answer after answer."""

import asyncio
from collections.abc import Awaitable, Callable

from steelyard.model.sample import SampleKey


class WorkerPool:
    """The workers of one provider; workers are added as soon as it allows more calls at a time."""

    def __init__(
        self,
        *,
        refill: Callable[[], Awaitable[list[SampleKey]]],
        draw: Callable[[SampleKey], Awaitable[None]],
        width: Callable[[], int],
        is_over: Callable[[], bool],
    ) -> None:
        """Set where keys come from, an empty list being the end of them, and what draws one."""
        self._refill = refill
        self._draw = draw
        self._width = width
        self._is_over = is_over
        self._keys: list[SampleKey] = []  # the next one last
        self._is_exhausted = False
        self._working = 0
        self._refilling = asyncio.Lock()

    async def run(self) -> None:
        """Draw until there are no more keys, or until it is over."""
        async with asyncio.TaskGroup() as workers:
            self._add_workers(workers)

    def _add_workers(self, workers: asyncio.TaskGroup) -> None:
        while self._working < self._width() and not self._is_exhausted:
            self._working += 1
            workers.create_task(self._work(workers))
            if not self._keys:
                return  # the first worker gets the keys, and then adds the others

    async def _work(self, workers: asyncio.TaskGroup) -> None:
        try:
            while not self._is_over() and (key := await self._next()):
                self._add_workers(workers)
                await self._draw(key)
        finally:
            self._working -= 1

    async def _next(self) -> SampleKey | None:
        if not self._keys and not self._is_exhausted:
            async with self._refilling:
                if not self._keys and not self._is_exhausted:
                    self._keys = (await self._refill())[::-1]
                    self._is_exhausted = not self._keys
        return self._keys.pop() if self._keys else None
