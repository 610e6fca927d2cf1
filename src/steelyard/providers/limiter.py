"""Let calls to one provider through: as many at once as it bears, and no faster than it allows.

Only counts and waits; what a call is, and whether it is repeated, is decided elsewhere.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from math import inf
from typing import Self

from steelyard.model.quota import Quota
from steelyard.providers.quotas import Quotas
from steelyard.providers.width import Width

START = 8
MOST = 10_000

FIRST_PAUSE_S = 0.5  # if calls are refused with no success between, and the provider does not say how long
PAUSE_GROWTH = 1.5  # times the last pause, if the next call is refused too
LONGEST_PAUSE_S = 15.0
LONGEST_ASKED_S = 900.0  # of a pause that the provider asks for and that is worth waiting for
FIRST_HASTE = 4.0  # times the mean pace, as long as no limit is known
HASTE = 1.2  # times the mean pace: calls that end together do not begin together again
SHORTEST_S = 0.001  # that is worth waiting
ROUNDING_S = 1e-6  # of a clock
REMEMBERED = 20  # calls over which the time of one is averaged


class Limiter:
    """Lets calls to one provider through; for one event loop.

    The width, calls at once, is found by trying. The pace, calls a second, comes from the width and from the
    limits that the provider states. A provider that takes no calls at all is left alone for a while.
    """

    def __init__(
        self,
        *,
        start: int = START,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.in_flight = 0
        self._width = Width(start, most)
        self._quotas = Quotas()
        self._clock, self._sleep = clock, sleep
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._woken = 0  # waiters that have been called and have not come yet
        self._gate = asyncio.Lock()
        self._begun = 0  # calls
        self._unbegun = 0  # calls that have a place and wait for their time
        self._resume_at = self._last_at = clock()
        self._call_s = 0.0  # a successful call takes, on average
        self._barren = 0  # how often the width was cut since anything succeeded

    @property
    def width(self) -> int:
        """How many calls may be in flight at once."""
        return int(self._width.value)

    @property
    def pause_s(self) -> float:
        """How long no call may begin; 0 when there is no pause."""
        left_s = self._resume_at - self._clock()
        return left_s if left_s > ROUNDING_S else 0.0

    @property
    def pace(self) -> float | None:
        """How many calls may begin in a second; None as long as no limit is known."""
        interval_s = self._interval_s(1.0 if self._width.limit is not None else inf)
        return 1 / interval_s if interval_s else None

    def now(self) -> float:
        """Return the time of the limiter's clock."""
        return self._clock()

    def slot(self) -> "Slot":
        """Return what to enter with `async with`: wait for a place, and hold it for the time of one call."""
        return Slot(self)

    async def enter(self) -> int:
        """Wait for a place and for the time to begin, and return the number of the call."""
        while True:
            try:
                await self._place()
            except BaseException:
                self._call_waiting()  # the place that this one would have taken is for the next
                raise
            self.in_flight += 1
            self._unbegun += 1
            try:
                is_time = await self._is_time()
            except BaseException:
                self.leave()
                raise
            finally:
                self._unbegun -= 1
            if is_time:
                self._begun = self._width.began(self.in_flight - self._unbegun)
                return self._begun
            self.leave()

    def leave(self) -> None:
        """Give a place back."""
        self.in_flight -= 1
        self._call_waiting()

    def note(self, quotas: Iterable[Quota], call: int) -> None:
        """Take what the response to a call says about the provider's limits."""
        if wait_s := self._quotas.note(quotas, call=call, now=self._clock()):
            self._pause(wait_s)

    def succeeded(self, call: int, call_s: float, tokens: int | None = None) -> None:
        """Note, within the slot, that the provider took the call."""
        self._barren = 0
        self._call_s += (call_s - self._call_s) / REMEMBERED if self._call_s else call_s
        if tokens is not None:
            self._quotas.took(tokens)
        self._width.succeeded(call)

    def throttled(self, call: int, retry_after_s: float | None, *, is_limit: bool) -> None:
        """Note, within the slot, that the provider is too busy; no call begins before the time it names."""
        before = self._width.cuts
        is_too_many = self._width.refused(call, is_limit=is_limit)
        # A longer one is the business of the call that got it: see `runner/draw/drawer.py`.
        if retry_after_s is not None and retry_after_s <= LONGEST_ASKED_S:
            if is_limit or is_too_many:  # a limit holds for all calls, also if it is too early to cut again
                self._pause(retry_after_s)
        elif self._width.cuts > before:
            if self._barren:
                self._pause(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * PAUSE_GROWTH ** min(self._barren - 1, 20)))
            self._barren += 1

    def _pause(self, seconds: float) -> None:
        self._resume_at = max(self._resume_at, self._clock() + seconds)

    def _interval_s(self, haste: float) -> float:
        """How long to wait between the beginnings of two calls."""
        own_s = self._call_s / (haste * self._width.value)
        return max(own_s, self._quotas.interval_s(begun=self._begun, now=self._clock()))

    async def _is_time(self) -> bool:
        """Wait until the call before is long enough ago; return whether there was no cut meanwhile."""
        cuts = self._width.cuts
        async with self._gate:  # one after the other, so each waits by what is known when its turn comes
            haste = FIRST_HASTE if self._width.limit is None else HASTE
            now = self._clock()
            self._last_at = max(now, self._last_at + self._interval_s(haste))
            if self._last_at - now >= SHORTEST_S:
                await self._sleep(self._last_at - now)
        return cuts == self._width.cuts and not self.pause_s

    async def _place(self) -> None:
        """Wait until the pause is over and there is room."""
        while True:
            if self.pause_s > 0:
                await self._sleep(self.pause_s)
            elif self.in_flight < self.width:
                return
            else:
                await self._call()

    async def _call(self) -> None:
        """Wait until a slot is free."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        finally:
            if not waiter.cancelled():
                self._woken -= 1

    def _call_waiting(self) -> None:
        """Call as many as there is room for; those who were called and have not come yet have theirs."""
        while self._waiting and self.in_flight + self._woken < self.width:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                self._woken += 1


class Slot:
    """A place for one call; within it, the result of the call is noted."""

    __slots__ = ("_began", "_limiter", "_number")

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._number = 0
        self._began = 0.0

    async def __aenter__(self) -> Self:
        self._number = await self._limiter.enter()
        self._began = self._limiter.now()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._limiter.leave()

    def succeeded(self, quotas: Iterable[Quota] = (), tokens: int | None = None) -> None:
        """Note that the provider took the call."""
        self._limiter.note(quotas, self._number)
        self._limiter.succeeded(self._number, self._limiter.now() - self._began, tokens)

    def throttled(self, retry_after_s: float | None, *, is_limit: bool = True) -> None:
        """Note that the provider is too busy; `is_limit` tells that it named its limit as the cause."""
        self._limiter.throttled(self._number, retry_after_s, is_limit=is_limit)
