"""The width finds a provider's limit, keeps to it, and nobody waits in vain."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest
from typing_extensions import override

from steelyard.providers.limiter import LONGEST_PAUSE_S, Limiter
from tests.providers.virtual_time import now, run

SECOND = 1.0
RATE = 50.0


@dataclass
class Server:
    """Answers `capacity` calls at once, each in about a second, and says no to the others at once."""

    capacity: Callable[[float], int]
    retry_after_s: float | None = None
    rng: Random = field(default_factory=lambda: Random(7))
    working: int = 0
    peak: int = 0
    taken: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)

    async def call(self) -> bool:
        if self.working >= self.capacity(now()):
            self.refused.append(now())
            await asyncio.sleep(0.02)
            return False
        self.taken.append(now())
        self.working += 1
        self.peak = max(self.peak, self.working)
        await asyncio.sleep(SECOND * self.rng.uniform(0.5, 1.5))
        self.working -= 1
        return True


class Bucket(Server):
    """Answers `RATE` calls each second, however many at once, and up to a second's worth in advance."""

    tokens: float = RATE
    last: float = 0.0

    @override
    async def call(self) -> bool:
        self.tokens = min(RATE, self.tokens + (now() - self.last) * RATE)
        self.last = now()
        if self.tokens < 1:
            self.refused.append(now())
            await asyncio.sleep(0.02)
            return False
        self.tokens -= 1
        self.taken.append(now())
        await asyncio.sleep(SECOND * self.rng.uniform(1, 3))
        return True


@dataclass
class Tally:
    """Who else looks at the limiter while it works."""

    widths: list[tuple[float, int]] = field(default_factory=list)

    def mean_width(self, *, since: float) -> float:
        late = [width for at, width in self.widths if at >= since]
        return sum(late) / len(late)


def limiter_here(*, start: int = 8, most: int = 10_000) -> Limiter:
    return Limiter(start=start, most=most, clock=now)


async def until_taken(limiter: Limiter, server: Server, tally: Tally) -> None:
    while True:
        async with limiter.slot() as slot:
            if await server.call():
                slot.succeeded()
                tally.widths.append((now(), limiter.concurrency))
                return
            slot.throttled(server.retry_after_s)
        await asyncio.sleep(server.rng.uniform(0, 1))


async def served(server: Server, *, calls: int, limiter: Limiter | None = None) -> Tally:
    limiter, tally = limiter or limiter_here(), Tally()
    await asyncio.gather(*(until_taken(limiter, server, tally) for _ in range(calls)))
    assert limiter.in_flight == 0
    return tally


def always(capacity: int) -> Callable[[float], int]:
    return lambda at: capacity


def test_without_a_limit_ten_thousand_calls_at_once_take_sixteen_rounds() -> None:
    async def rounds() -> list[int]:
        limiter, widths = limiter_here(start=8, most=10_000), []

        async def call() -> None:
            async with limiter.slot() as slot:
                await asyncio.sleep(SECOND)
                slot.succeeded()

        pending = [asyncio.ensure_future(call()) for _ in range(20_400)]
        while limiter.concurrency < 10_000:
            widths.append(limiter.concurrency)
            await asyncio.sleep(SECOND)
        for task in pending:
            task.cancel()
        return widths

    assert len(run(rounds())) <= 16


@cache
def settled(capacity: int) -> tuple[Server, Tally]:
    """About a minute's work for a server that is kept fully busy."""
    server = Server(always(capacity))
    return server, run(served(server, calls=capacity * 60))


@pytest.mark.parametrize("capacity", [1, 5, 60, 300])
def test_the_width_settles_near_the_servers_capacity(capacity: int) -> None:
    server, tally = settled(capacity)

    assert len(server.taken) == capacity * 60
    assert 0.85 * capacity <= tally.mean_width(since=20.0) <= 1.2 * capacity
    assert server.taken[-1] < 1.25 * 60 * SECOND + 5


@pytest.mark.parametrize(("capacity", "share"), [(5, 0.03), (60, 0.01), (300, 0.005)])
def test_few_calls_are_refused_once_the_limit_is_known(capacity: int, share: float) -> None:
    server, _ = settled(capacity)

    late = [at for at in server.refused if at > 15.0]
    assert late  # it goes on looking for more
    assert len(late) <= share * len([at for at in server.taken if at > 15.0])


@pytest.mark.parametrize("retry_after_s", [1.0, None])
def test_a_limit_of_calls_each_second_is_kept_as_well(retry_after_s: float | None) -> None:
    server = Bucket(always(0), retry_after_s=retry_after_s)

    run(served(server, calls=3_000))

    assert server.taken[-1] < 1.15 * 3_000 / RATE
    assert len(server.refused) < 0.02 * 3_000


def test_when_the_capacity_falls_the_width_follows_within_seconds() -> None:
    server = Server(lambda at: 400 if at < 30 else 20)

    tally = run(served(server, calls=12_000))

    assert tally.mean_width(since=45.0) < 25
    assert len([at for at in server.refused if 30 <= at < 45]) < 3_000


def test_when_the_capacity_rises_the_width_follows() -> None:
    server = Server(lambda at: 10 if at < 30 else 1_000)

    tally = run(served(server, calls=20_000))

    assert next(at for at, width in tally.widths if width > 800) < 30 + 40


def test_a_provider_that_was_gone_for_minutes_is_asked_seldom_and_then_fully_again() -> None:
    server = Server(lambda at: 0 if 20 <= at < 320 else 300)

    tally = run(served(server, calls=20_000))

    down = [at for at in server.refused if 60 <= at < 320]
    assert len(down) < 100
    assert next(at for at, width in tally.widths if at > 320 and width > 240) < 320 + LONGEST_PAUSE_S + 40


def test_a_throttled_round_counts_once_however_many_calls_are_refused() -> None:
    async def widths() -> list[int]:
        limiter, seen = limiter_here(start=64), []

        async def call() -> None:
            async with limiter.slot() as slot:
                await asyncio.sleep(SECOND)
                slot.throttled(None)
                seen.append(limiter.concurrency)

        await asyncio.gather(*(call() for _ in range(64 + 32)))
        return seen

    assert run(widths()) == [32] * (64 + 9) + [16] * 23


def test_nobody_begins_before_the_provider_said_and_everybody_who_may_begins_then() -> None:
    async def starts() -> list[float]:
        limiter, at = limiter_here(start=4), []

        async def call(*, is_refused: bool) -> None:
            async with limiter.slot() as slot:
                at.append(now())
                await asyncio.sleep(SECOND)
                if is_refused:
                    slot.throttled(17.25)
                else:
                    slot.succeeded()

        await asyncio.gather(*(call(is_refused=turn < 4) for turn in range(8)))
        assert limiter.pause_s == 0
        return at

    began = run(starts())
    assert began[:6] == [0.0] * 4 + [18.25] * 2
    assert min(began[6:]) >= 19.25


@pytest.mark.parametrize(
    ("is_limit", "pauses"),
    [(True, [30.0] * 6), (False, [0.0, 0.0, 0.0, 30.0, 0.0, 0.0])],  # single faults stop no other call
)
def test_after_a_cut_too_no_call_begins_before_the_provider_said(
    *, is_limit: bool, pauses: list[float]
) -> None:
    async def seen() -> list[float]:
        limiter, found = limiter_here(), []
        for turn in range(8 + len(pauses)):
            async with limiter.slot() as slot:
                if turn < 8:
                    slot.succeeded()
                else:
                    slot.throttled(30.0, is_limit=is_limit)
                    found.append(limiter.pause_s)
        return found

    assert run(seen()) == pytest.approx(pauses)


def test_the_longest_of_several_pauses_counts() -> None:
    async def pauses() -> list[float]:
        limiter, seen = limiter_here(), []
        async with limiter.slot() as slot, limiter.slot() as other, limiter.slot() as third:
            for one, seconds in ((slot, 3.0), (other, 10.0), (third, 1.0)):
                one.throttled(seconds)
                seen.append(limiter.pause_s)
        return seen

    assert run(pauses()) == [3.0, 10.0, 10.0]


def test_calls_that_do_not_use_the_width_do_not_widen_it() -> None:
    async def width() -> int:
        limiter = limiter_here(start=8)
        for _ in range(1_000):
            async with limiter.slot() as slot:
                slot.succeeded()
        return limiter.concurrency

    assert run(width()) == 8


def test_the_width_stays_between_one_and_the_most() -> None:
    async def widths() -> tuple[int, int]:
        narrow, wide = limiter_here(start=2), limiter_here(start=100, most=3)
        for _ in range(5):
            async with narrow.slot() as slot:
                slot.throttled(0.0)
        await served(Server(always(50)), calls=100, limiter=wide)
        return narrow.concurrency, wide.concurrency

    assert run(widths()) == (1, 3)


def test_a_cancelled_call_leaves_its_place_to_the_next() -> None:
    async def order() -> list[str]:
        limiter, done = limiter_here(start=1), []

        async def call(name: str) -> None:
            async with limiter.slot():
                await asyncio.sleep(SECOND)
                done.append(name)

        tasks = {name: asyncio.ensure_future(call(name)) for name in "abcd"}
        await asyncio.sleep(0.5)
        tasks["b"].cancel()  # while it waits
        await asyncio.sleep(0.5)
        await tasks["a"]
        tasks["c"].cancel()  # when it has been called and has not come yet
        await asyncio.wait_for(tasks["d"], 10)
        assert limiter.in_flight == 0
        return done

    assert run(order()) == ["a", "d"]


def test_a_call_cancelled_in_a_pause_leaves_its_place_to_the_next() -> None:
    async def done() -> float:
        limiter = limiter_here(start=1)

        async def call(retry_after_s: float | None) -> None:
            async with limiter.slot() as slot:
                await asyncio.sleep(SECOND)
                if retry_after_s:
                    slot.throttled(retry_after_s)

        first, second, third = (asyncio.ensure_future(call(pause)) for pause in (10.0, None, None))
        await first
        await asyncio.sleep(SECOND)
        second.cancel()
        await asyncio.wait_for(third, 60)
        return now()

    assert run(done()) == 12.0


def test_a_call_that_fails_gives_its_place_back() -> None:
    async def in_flight() -> int:
        limiter = limiter_here()
        with pytest.raises(ValueError, match="broken"):
            async with limiter.slot():
                raise ValueError("broken")
        return limiter.in_flight

    assert run(in_flight()) == 0


def test_by_the_clock_on_the_wall_a_pause_is_not_cut_short() -> None:
    async def waited_s() -> float:
        limiter = Limiter()
        async with limiter.slot() as slot:
            began = time.monotonic()
            slot.throttled(0.05)
        async with limiter.slot():
            return time.monotonic() - began

    assert asyncio.run(waited_s()) >= 0.05
