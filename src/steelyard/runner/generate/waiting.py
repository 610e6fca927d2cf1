"""Cancel queued calls (for a slot, budget or a retry). Calls in flight finish."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class GivenUp(Exception):
    """The call was cancelled before it began; the request stays pending."""


class Waiting:
    """The queued calls by provider; for one event loop."""

    def __init__(self) -> None:
        self._calls: dict[asyncio.Timeout, str] = {}

    @asynccontextmanager
    async def of(self, provider: str) -> AsyncIterator[None]:
        """Context of a wait; raises GivenUp if it is cancelled."""
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
        """Cancel the queued calls of the providers that `is_over`."""
        now = asyncio.get_running_loop().time()
        for patience in [item for item, provider in self._calls.items() if is_over(provider)]:
            del self._calls[patience]  # cancelled once, even if the session is stopped again
            patience.reschedule(now)
