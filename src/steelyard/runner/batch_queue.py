"""Collect what comes one by one into batches: full ones when much comes, small ones soon when little does."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Batches(Generic[Item]):
    """Takes items, and gives them out in batches, to one taker or several; who brings too many has to wait.

    A batch is given out when it holds `most()` items, or `within_s` seconds after somebody asked for it, or
    when `is_idle()`: then nothing is on its way for which it would be worth waiting.
    """

    def __init__(
        self,
        *,
        most: Callable[[], int],
        room: int,
        within_s: float = 0.0,
        is_idle: Callable[[], bool] = lambda: False,
    ) -> None:
        self._most = most
        self._is_idle = is_idle
        self._room = room
        self._within_s = within_s
        self._items: list[Item] = []
        self._changed = asyncio.Condition()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._items)

    async def put(self, item: Item) -> None:
        """Add an item, when there is room for it."""
        if len(self._items) >= self._room:
            async with self._changed:
                await self._changed.wait_for(lambda: len(self._items) < self._room)
        self._items.append(item)
        # Only who waits for a first item or a full batch has to be told.
        is_full = self._within_s and len(self._items) % self._most() == 0
        if len(self._items) == 1 or is_full or self._is_idle():
            await self._tell()

    def rest(self) -> list[Item]:
        """Take out everything that has not been given out."""
        items, self._items = self._items, []
        return items

    async def close(self) -> None:
        """Say that nothing more comes."""
        self._is_closed = True
        await self._tell()

    async def __aiter__(self) -> AsyncIterator[list[Item]]:
        """Give out batches until everything that came has been given out."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._items or self._is_closed)
                if self._within_s and not self._is_closed:
                    await self._fill()
            if batch := self._items[: self._most()]:
                del self._items[: len(batch)]
                await self._tell()
                yield batch
            elif self._is_closed:
                return

    async def _fill(self) -> None:
        """Wait until a batch is full, or has waited long enough."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._within_s):
                await self._changed.wait_for(self._is_full)

    def _is_full(self) -> bool:
        return len(self._items) >= self._most() or self._is_closed or self._is_idle()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()
