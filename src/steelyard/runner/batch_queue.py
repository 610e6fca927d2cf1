"""An `asyncio.Queue` read in batches: full under load, prompt otherwise."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Generic, TypeVar, cast

from steelyard.model.sample import Sample, SampleKey, text_digest

COMMIT_ROWS = 2_000  # rows of one commit, at most
COMMIT_WITHIN_S = 1.0  # how long an item waits for a full commit; a kill in that time loses it
CAPACITY = 4 * COMMIT_ROWS  # items that wait between two stages before the earlier one pauses

Item = TypeVar("Item")
_END = object()
_key = attrgetter(*SampleKey._fields)


class BatchQueue(Generic[Item]):
    """A bounded queue between two stages, with one or several readers.

    A batch is complete with `size()` items, `within_s` seconds after its first item, or when `is_idle()`.
    """

    def __init__(
        self,
        *,
        size: Callable[[], int],
        within_s: float = 0.0,
        is_idle: Callable[[], bool] = lambda: False,
        capacity: int = CAPACITY,
    ) -> None:
        self._queue: asyncio.Queue[object] = asyncio.Queue(capacity)
        self._size = size
        self._within_s = within_s
        self._is_idle = is_idle
        self._is_closed = False
        self._unread = 0  # items that no reader has got yet
        self._interrupted: list[Item] = []  # items that a cancelled task held

    def __len__(self) -> int:
        return self._unread

    async def put(self, item: Item) -> None:
        """Add an item; waits while the queue is full."""
        self._unread += 1
        if not self._queue.full():
            self._queue.put_nowait(item)
            return
        try:
            await self._queue.put(item)
        except asyncio.CancelledError:
            self._interrupted.append(item)
            raise

    async def close(self) -> None:
        """Close the queue; no item may be put later."""
        await self._queue.put(_END)

    async def __aiter__(self) -> AsyncIterator[list[Item]]:
        """Yield batches until the queue is closed and empty."""
        while batch := await self._next():
            self._unread -= len(batch)
            yield batch

    def drain(self) -> list[Item]:
        """Return the unread items, after all tasks that use the queue have ended."""
        items, self._interrupted = self._interrupted, []
        self._take(items, at_most=len(items) + self._queue.qsize())
        return items

    async def _next(self) -> list[Item]:
        """Return the next batch; empty at the end."""
        batch: list[Item] = []
        try:
            self._add(batch, await self._queue.get())
            self._take(batch, at_most=self._size())
            if self._within_s:
                await self._wait_for_more(batch)
        except asyncio.CancelledError:
            self._interrupted += batch
            raise
        return batch

    async def _wait_for_more(self, batch: list[Item]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._within_s):
                while not (self._is_closed or len(batch) >= self._size() or self._is_idle()):
                    self._add(batch, await self._queue.get())
                    self._take(batch, at_most=self._size())

    def _take(self, batch: list[Item], *, at_most: int) -> None:
        """Move items to a batch without waiting."""
        for _ in range(min(at_most - len(batch), self._queue.qsize())):
            self._add(batch, self._queue.get_nowait())

    def _add(self, batch: list[Item], item: object) -> None:
        if item is _END:
            self._is_closed = True
            self._queue.put_nowait(_END)  # for the other readers
        else:
            batch.append(cast("Item", item))


def commit_queue(*, is_idle: Callable[[], bool]) -> BatchQueue[Item]:
    """Return a queue whose batches are committed to the store."""
    return BatchQueue(size=lambda: COMMIT_ROWS, within_s=COMMIT_WITHIN_S, is_idle=is_idle)


def chunk_name(samples: Sequence[Sample]) -> str:
    """Return a name derived from the samples, so none is committed twice."""
    return text_digest(repr(list(map(_key, samples))))


LEARNING = 0.2  # weight of the newest batch
SHORTEST_S = 1e-9


class BatchSizer:
    """Chooses large batches for fast items and small ones for slow items."""

    def __init__(self, *, batch_s: float, maximum: int) -> None:
        """Set the target duration and the maximum size of a batch."""
        self._batch_s = batch_s
        self._maximum = maximum
        self._each_s = batch_s

    @property
    def size(self) -> int:
        """The number of items that takes one batch's time, by the measured durations.

        >>> sizer = BatchSizer(batch_s=0.05, maximum=500)
        >>> sizer.size
        1
        >>> for _ in range(100):
        ...     sizer.add(0.01, items=10)
        >>> sizer.size
        50
        """
        return max(1, min(self._maximum, round(self._batch_s / max(self._each_s, SHORTEST_S))))

    def add(self, seconds: float, *, items: int) -> None:
        """Record the duration of a batch."""
        self._each_s += LEARNING * (seconds / items - self._each_s)
