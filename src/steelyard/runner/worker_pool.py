"""Keep a provider busy: as many workers as it takes at the moment, each drawing piece after piece."""

import asyncio
from collections.abc import Awaitable, Callable

from steelyard.model.sample import SampleKey

Piece = tuple[SampleKey, ...]


class Pump:
    """The workers of one provider; more of them join as soon as it takes more calls at a time."""

    def __init__(
        self,
        *,
        refill: Callable[[], Awaitable[list[SampleKey]]],
        draw: Callable[[Piece], Awaitable[None]],
        width: Callable[[], int],
        size: int,
        is_over: Callable[[], bool],
    ) -> None:
        """Take where keys come from, an empty list being the end of them, and what to do with a piece."""
        self._refill = refill
        self._draw = draw
        self._width = width
        self._size = size
        self._is_over = is_over
        self._pieces: list[Piece] = []  # the next one last
        self._is_dry = False
        self._working = 0
        self._refilling = asyncio.Lock()

    async def run(self) -> None:
        """Draw everything there is, or until it is over."""
        async with asyncio.TaskGroup() as workers:
            self._staff(workers)

    def _staff(self, workers: asyncio.TaskGroup) -> None:
        while self._working < self._width() and not self._is_dry:
            self._working += 1
            workers.create_task(self._work(workers))
            if not self._pieces:
                return  # the first worker brings the keys, and calls the others when it has some

    async def _work(self, workers: asyncio.TaskGroup) -> None:
        try:
            while not self._is_over() and (piece := await self._next()):
                self._staff(workers)
                await self._draw(piece)
        finally:
            self._working -= 1

    async def _next(self) -> Piece | None:
        if not self._pieces and not self._is_dry:
            async with self._refilling:
                if not self._pieces and not self._is_dry:
                    keys = await self._refill()
                    starts = range(0, len(keys), self._size)
                    self._pieces = [tuple(keys[start : start + self._size]) for start in starts][::-1]
                    self._is_dry = not keys
        return self._pieces.pop() if self._pieces else None
