"""The pool keeps as many workers as a provider takes, and generates every key once."""

import asyncio
from collections.abc import Iterator
from itertools import islice

from steelyard.model.sample import SampleKey
from steelyard.runner.generate.worker_pool import WorkerPool
from tests.providers.virtual_time import run

BATCH = 7


def keys(count: int) -> Iterator[SampleKey]:
    return (SampleKey("p/m", "T0", "s", "c", "d", attempt) for attempt in range(count))


class Bench:
    """A provider that counts how many calls it gets at a time."""

    def __init__(self, count: int, *, concurrency: int, last: int | None = None) -> None:
        self.generated: list[int] = []
        self.at_once = self.most_at_once = 0
        self.concurrency = concurrency
        self._last = last
        waiting = keys(count)

        async def refill() -> list[SampleKey]:
            await asyncio.sleep(0)
            return list(islice(waiting, BATCH))

        self.pool = WorkerPool(
            refill=refill, generate=self.generate, concurrency=lambda: self.concurrency, is_over=self.is_over
        )

    async def generate(self, key: SampleKey) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001)
        self.at_once -= 1
        self.generated.append(key.attempt)

    def is_over(self) -> bool:
        return self._last is not None and self._last in self.generated


def test_every_key_is_generated_once_by_as_many_workers_as_are_allowed() -> None:
    bench = Bench(100, concurrency=5)

    run(bench.pool.run())

    assert sorted(bench.generated) == list(range(100))
    assert bench.most_at_once == 5


def test_more_workers_join_when_the_provider_takes_more() -> None:
    bench = Bench(200, concurrency=1)

    async def widened() -> None:
        running = asyncio.create_task(bench.pool.run())
        await asyncio.sleep(0.01)
        bench.concurrency = 20
        await running

    run(widened())

    assert bench.most_at_once > 5
    assert sorted(bench.generated) == list(range(200))


def test_nothing_more_is_begun_when_it_is_over() -> None:
    bench = Bench(1_000, concurrency=2, last=10)

    run(bench.pool.run())

    assert 10 < len(bench.generated) < 20


def test_no_keys_are_no_work() -> None:
    bench = Bench(0, concurrency=3)

    run(bench.pool.run())

    assert bench.generated == []
