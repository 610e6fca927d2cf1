"""Let a call that waits be given up: for a slot, for money, for its next try. One that has begun goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class GivenUp(Exception):
    """The session draws nothing more, and this call has not begun; the request stays undrawn."""


class Waiting:
    """The calls that wait, by provider; for one event loop."""

    def __init__(self) -> None:
        self._calls: dict[asyncio.Timeout, str] = {}

    @asynccontextmanager
    async def of(self, provider: str) -> AsyncIterator[None]:
        """Enclose whatever a call waits for; raises GivenUp if the waiting is ended."""
        patience = asyncio.timeout(None)
        try:
            async with patience:
                self._calls[patience] = provider
                yield
        except TimeoutError:
            raise GivenUp from None
        finally:
            self._calls.pop(patience, None)

    def end(self, is_over: Callable[[str], bool]) -> None:
        """End the waiting of calls to all providers from which nothing more is drawn."""
        now = asyncio.get_running_loop().time()
        for patience in [one for one, provider in self._calls.items() if is_over(provider)]:
            del self._calls[patience]  # it is ended once, however often the session is stopped
            patience.reschedule(now)
