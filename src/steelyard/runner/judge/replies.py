"""Store the replies of a run's judges and count their costs."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from steelyard.errors import StoreError
from steelyard.model.progress import JudgeSpend
from steelyard.model.request import Reply
from steelyard.model.sample import SampleKey
from steelyard.store.run.replies import Kept, ReplyFiles

WITHIN_S = 1.0  # delay before replies are written together; a kill loses them


class JudgeReplies:
    """The replies of a run's judges by key; for one event loop."""

    def __init__(self, files: ReplyFiles) -> None:
        """Load the replies of earlier sessions."""
        self._files = files
        self._known = {key: replace(reply, is_kept=True) for key, reply in files.read().items()}
        self._unwritten: list[Kept] = []
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self.spend = JudgeSpend()
        for reply in self._known.values():
            self._count(reply)

    def find(self, key: SampleKey) -> Reply | None:
        """Return the stored reply of this key."""
        return self._known.get(key)

    def keep(self, key: SampleKey, reply: Reply) -> None:
        """Add a reply, to be written soon."""
        self._count(reply)
        self._known[key] = reply
        self._unwritten.append((key, reply))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write all replies now."""
        self._closing.set()
        if self._writing is not None:
            with suppress(StoreError):  # unwritten replies are tried once more below
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
                self._unwritten = written + self._unwritten  # they are paid for: the next write includes them
                raise
