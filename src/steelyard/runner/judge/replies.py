"""Keep the replies of a run's judges, in memory and in its files, and count what they cost."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from steelyard.errors import StoreError
from steelyard.model.progress import JudgeSpend
from steelyard.model.request import Reply
from steelyard.model.sample import SampleKey, without_terms
from steelyard.store.run.replies import Kept, ReplyFiles

WITHIN_S = (
    1.0  # so long a reply waits for company before it is written; it is lost if we are killed meanwhile
)


class JudgeReplies:
    """The replies of a run's judges by their keys; for one event loop, in which new ones are written."""

    def __init__(self, files: ReplyFiles, *, takes_unmarked: bool = False) -> None:
        """Read the replies of earlier sessions; they are not asked for again.

        Earlier versions kept replies without the parameters they were asked with. With `takes_unmarked`,
        these are found too: the caller knows that the parameters are still the same.
        """
        self._files = files
        self._takes_unmarked = takes_unmarked
        self._known = {key: replace(reply, is_kept=True) for key, reply in files.read().items()}
        self._unwritten: list[Kept] = []
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self.spend = JudgeSpend()
        for reply in self._known.values():
            self._count(reply)

    def find(self, key: SampleKey, earlier: SampleKey | None = None) -> Reply | None:
        """Return a reply that was paid for before, under its key or the one that earlier versions gave it."""
        keys = [key] if earlier is None else [key, earlier]
        for one in keys:
            if (reply := self._known.get(one)) is not None:
                return reply
        # A judge that was asked in a later form from its first reply on has no reply in the first one.
        is_later = any(one._replace(attempt=0) in self._known for one in keys)
        if earlier is None or is_later or not self._takes_unmarked:
            return None
        return self._known.get(without_terms(earlier))

    def keep(self, key: SampleKey, reply: Reply) -> None:
        """Keep a reply, and write it soon."""
        self._count(reply)
        self._known[key] = reply
        self._unwritten.append((key, reply))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write everything now, and return when it is written."""
        self._closing.set()
        if self._writing is not None:
            with suppress(StoreError):  # what it could not write is tried once more
                await self._writing
        await self._write()

    def _count(self, reply: Reply) -> None:
        self.spend = JudgeSpend(
            replies=self.spend.replies + 1,
            cost_nano_usd=self.spend.cost_nano_usd + (reply.cost_nano_usd or 0),
            unpriced=self.spend.unpriced + (reply.cost_nano_usd is None),
        )

    async def _write(self) -> None:
        while self._unwritten:
            with suppress(TimeoutError):
                async with asyncio.timeout(WITHIN_S):
                    await self._closing.wait()
            written, self._unwritten = self._unwritten, []
            try:
                await asyncio.to_thread(self._files.add, written)
            except StoreError:
                self._unwritten = written + self._unwritten  # they are paid for: the next try writes them too
                raise
