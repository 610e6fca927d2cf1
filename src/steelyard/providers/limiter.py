"""Limit the concurrency and the rate of calls to one provider."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from math import inf
from typing import Self

from steelyard.model.quota import Quota
from steelyard.providers.concurrency import AdaptiveConcurrency
from steelyard.providers.quotas import Quotas

START = 8
MOST = 10_000

FIRST_PAUSE_S = 0.5  # after refusals without a success, if the provider names no delay
PAUSE_GROWTH = 1.5  # times the last pause, if the next call is refused too
LONGEST_PAUSE_S = 15.0
LONGEST_RETRY_AFTER_S = 900.0  # the longest requested pause to wait for
FIRST_HASTE = 4.0  # times the mean pace, while no limit is known
HASTE = 1.2  # times the mean pace: spread the starts of calls that ended together
SHORTEST_S = 0.001  # the shortest delay to wait for
ROUNDING_S = 1e-6  # of a clock
REMEMBERED = 20  # calls over which durations are averaged


class Limiter:
    """Limits calls to one provider; for one event loop.

    Concurrency is found by probing. The pace follows from it and from the provider's stated limits. A
    provider that rejects every call is paused.
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
        self._concurrency = AdaptiveConcurrency(start, most)
        self._quotas = Quotas()
        self._clock, self._sleep = clock, sleep
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._woken = 0  # woken waiters that have not entered yet
        self._gate = asyncio.Lock()
        self._begun = 0  # calls
        self._unbegun = 0  # calls with a slot that wait for their start time
        self._resume_at = self._last_at = clock()
        self._call_s = 0.0  # mean duration of a successful call
        self._barren = 0  # cuts since the last success

    @property
    def concurrency(self) -> int:
        """How many calls may be in flight at once."""
        return int(self._concurrency.value)

    @property
    def pause_s(self) -> float:
        """Seconds until calls may start again; 0 without a pause."""
        left_s = self._resume_at - self._clock()
        return left_s if left_s > ROUNDING_S else 0.0

    @property
    def pace(self) -> float | None:
        """Calls per second; None while no limit is known."""
        interval_s = self._interval_s(1.0 if self._concurrency.limit is not None else inf)
        return 1 / interval_s if interval_s else None

    def now(self) -> float:
        """Return the time of the limiter's clock."""
        return self._clock()

    def slot(self) -> "Slot":
        """Return a context manager that holds a slot for one call."""
        return Slot(self)

    async def enter(self) -> int:
        """Wait for a free slot and the next start time; return the number of the call."""
        while True:
            try:
                await self._place()
            except BaseException:
                self._call_waiting()  # passes the free slot to the next waiter
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
                self._begun = self._concurrency.began(self.in_flight - self._unbegun)
                return self._begun
            self.leave()

    def leave(self) -> None:
        """Release a slot."""
        self.in_flight -= 1
        self._call_waiting()

    def note(self, quotas: Iterable[Quota], call: int) -> None:
        """Record the quotas stated in a response."""
        if wait_s := self._quotas.note(quotas, call=call, now=self._clock()):
            self._pause(wait_s)

    def succeeded(self, call: int, call_s: float, tokens: int | None = None) -> None:
        """Record a successful call, within its slot."""
        self._barren = 0
        self._call_s += (call_s - self._call_s) / REMEMBERED if self._call_s else call_s
        if tokens is not None:
            self._quotas.took(tokens)
        self._concurrency.succeeded(call)

    def throttled(self, call: int, retry_after_s: float | None, *, is_limit: bool) -> None:
        """Record a throttled call, within its slot, and delay further calls as requested."""
        before = self._concurrency.cuts
        is_too_many = self._concurrency.refused(call, is_limit=is_limit)
        # The call itself handles longer ones: see `runner/generate/generator.py`.
        if retry_after_s is not None and retry_after_s <= LONGEST_RETRY_AFTER_S:
            if is_limit or is_too_many:  # a limit applies to all calls, even if it is too early to cut again
                self._pause(retry_after_s)
        elif self._concurrency.cuts > before:
            if self._barren:
                self._pause(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * PAUSE_GROWTH ** min(self._barren - 1, 20)))
            self._barren += 1

    def _pause(self, seconds: float) -> None:
        self._resume_at = max(self._resume_at, self._clock() + seconds)

    def _interval_s(self, haste: float) -> float:
        """The delay between the starts of two calls."""
        own_s = self._call_s / (haste * self._concurrency.value)
        return max(own_s, self._quotas.interval_s(begun=self._begun, now=self._clock()))

    async def _is_time(self) -> bool:
        """Wait for the interval since the last call; return False if concurrency was cut meanwhile."""
        cuts = self._concurrency.cuts
        async with self._gate:  # one at a time, each with the latest interval
            haste = FIRST_HASTE if self._concurrency.limit is None else HASTE
            now = self._clock()
            self._last_at = max(now, self._last_at + self._interval_s(haste))
            if self._last_at - now >= SHORTEST_S:
                await self._sleep(self._last_at - now)
        return cuts == self._concurrency.cuts and not self.pause_s

    async def _place(self) -> None:
        """Wait until the pause is over and a slot is free."""
        while True:
            if self.pause_s > 0:
                await self._sleep(self.pause_s)
            elif self.in_flight < self.concurrency:
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
        """Wake as many waiters as there are free slots."""
        while self._waiting and self.in_flight + self._woken < self.concurrency:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                self._woken += 1


class Slot:
    """A slot for one call, which records its result."""

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
        """Record a successful call."""
        self._limiter.note(quotas, self._number)
        self._limiter.succeeded(self._number, self._limiter.now() - self._began, tokens)

    def throttled(self, retry_after_s: float | None, *, is_limit: bool = True) -> None:
        """Record a throttled call; `is_limit`: the provider named its limit as the cause."""
        self._limiter.throttled(self._number, retry_after_s, is_limit=is_limit)
