"""Find out by trying how many calls at once a provider bears: grow while all is well, shrink when it says no.

Only counts and waits; what a call is, and whether it is repeated, is decided elsewhere.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

START = 8
MOST = 10_000

GENTLE = 0.8  # of the width is left after one throttled call in a calm time
HARSH = (
    0.5  # is left when the limit is far away: at the first throttled call, and when shrinking did not help
)
GROWTH = 0.05  # of the width is added in each round without throttling
LEAST_GROWTH = 0.1  # calls: even one call at once shall not be every second time one too many
OUTAGE = 2  # cuts with no success between them tell of a provider that was down, not of its limit
FORGOTTEN = 2.0  # times the last known limit without being throttled: that limit is gone, so double again
FIRST_PAUSE_S = 0.5  # if nothing but throttled calls comes back, and the provider does not say how long
LONGEST_PAUSE_S = 30.0
LONGEST_ASKED_S = (
    900.0  # of a pause that the provider asks for; what is longer stops the call, not the run in silence
)


class Limiter:
    """Lets calls to one provider through, as many at once as it bears; for one event loop.

    The width doubles with each round of calls until the first throttled one, and from then on creeps up to
    the limit, is thrown back by a part, and creeps up again. It never grows beyond one such step over what
    was really in flight, so an idle provider proves nothing. A round is as many calls as are in flight, and
    however many of them are throttled, they count once.
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
        self._most = max(1, most)
        self._width = float(max(1, min(start, self._most)))
        self._clock, self._sleep = clock, sleep
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._woken = 0  # waiters that have been called and have not come yet
        self._resume_at = clock()
        self._limit: float | None = None  # the width that was last too much; None: double with each round
        self._peak = 0  # the most that were in flight at once since then
        self._successes = 0  # since then
        self._barren = 0  # how often the width was cut since anything succeeded
        self._round = 0  # how many calls must still end before the width may be cut again

    @property
    def width(self) -> int:
        """How many calls may be in flight at once."""
        return int(self._width)

    @property
    def pause_s(self) -> float:
        """How long no call may begin; 0 when there is no pause."""
        return max(0.0, self._resume_at - self._clock())

    def slot(self) -> "Limiter":
        """Return what to enter with `async with`: wait for a place, and hold it for the time of one call."""
        return self

    async def __aenter__(self) -> None:
        try:
            await self._place()
        except BaseException:
            self._call_waiting()  # the place that this one would have taken is for the next
            raise
        self.in_flight += 1
        self._peak = max(self._peak, self.in_flight)

    async def __aexit__(self, *_: object) -> None:
        self.in_flight -= 1
        self._round = max(0, self._round - 1)
        self._call_waiting()

    def succeeded(self) -> None:
        """Note, within the slot, that the provider took the call."""
        self._successes += 1
        if self._barren >= OUTAGE or (self._limit is not None and self._width > FORGOTTEN * self._limit):
            self._limit = None
        self._barren = 0
        if self._width < min(self._most, self._peak + max(1.0, self._step(self._peak))):
            self._width = min(self._most, self._width + self._step(self._width) / self._width)

    def throttled(self, retry_after_s: float | None) -> None:
        """Note, within the slot, that the provider is too busy; no call begins before the time it names."""
        if retry_after_s is not None:
            # A longer one is the business of the call that got it: see `runner/draw/retries.py`.
            self._pause(min(retry_after_s, LONGEST_ASKED_S))
        if self._round:
            return
        if self._barren and retry_after_s is None:
            self._pause(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(self._barren - 1, 10)))
        is_calm = self._limit is not None and self._successes >= self._width
        self._limit = self._width
        self._width = max(1.0, self._width * (GENTLE if is_calm else HARSH))
        self._round = self.in_flight
        self._barren += 1
        self._peak = self._successes = 0

    def _step(self, width: float) -> float:
        """How much a round adds."""
        return width if self._limit is None else max(LEAST_GROWTH, GROWTH * width)

    def _pause(self, seconds: float) -> None:
        self._resume_at = max(self._resume_at, self._clock() + seconds)

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
