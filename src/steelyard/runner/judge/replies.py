"""Remember what the judges of a run have replied, here and in its files, and what that took."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from steelyard.model.request import Reply
from steelyard.model.sample import SampleKey
from steelyard.store.run.replies import Kept, ReplyFiles

WITHIN_S = (
    1.0  # so long a reply waits for company before it is written; it is lost if we are killed meanwhile
)


@dataclass(slots=True, kw_only=True)
class JudgeTally:
    """What judging has taken so far, in earlier parts of the run too."""

    replies: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0

    def add(self, reply: Reply) -> None:
        """Count a reply that was paid for.

        >>> tally = JudgeTally()
        >>> tally.add(Reply(text="{}", cost_nano_usd=7))
        >>> tally.add(Reply(text="{}"))
        >>> tally
        JudgeTally(replies=2, cost_nano_usd=7, unpriced=1)
        """
        self.replies += 1
        self.cost_nano_usd += reply.cost_nano_usd or 0
        self.unpriced += reply.cost_nano_usd is None


class JudgeReplies:
    """The replies of a run's judges by their keys; for one event loop, in which new ones are written."""

    def __init__(self, files: ReplyFiles) -> None:
        """Read the replies that are there already; nobody is asked for those again."""
        self._files = files
        self._known = files.read()
        self._unwritten: list[Kept] = []
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self.tally = JudgeTally()
        for reply in self._known.values():
            self.tally.add(reply)

    def find(self, key: SampleKey) -> Reply | None:
        """Return a reply that was paid for before."""
        return self._known.get(key)

    def keep(self, key: SampleKey, reply: Reply) -> None:
        """Remember a reply, and have it written soon."""
        self.tally.add(reply)
        self._known[key] = reply
        self._unwritten.append((key, reply))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Return when everything is written, which is begun at once."""
        self._closing.set()
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        while self._unwritten:
            with suppress(TimeoutError):
                async with asyncio.timeout(WITHIN_S):
                    await self._closing.wait()
            written, self._unwritten = self._unwritten, []
            await asyncio.to_thread(self._files.add, written)
