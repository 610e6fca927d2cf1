import asyncio

import pytest
import pytest_asyncio

from solution import async_cache

pytestmark = pytest.mark.asyncio


class Backend:
    def __init__(self):
        self.calls = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def fetch(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        await self.gate.wait()
        if "bad" in args:
            raise LookupError("bad")
        return f"result {len(self.calls)}"


@pytest_asyncio.fixture
async def backend():
    return Backend()


async def test_second_call_is_cached(backend):
    fetch = async_cache()(backend.fetch)
    first = await fetch(1, unit="m")
    second = await fetch(1, unit="m")
    assert first == second == "result 1"
    assert backend.calls == [((1,), {"unit": "m"})]
    assert fetch.cache_info() == (1, 1, 1)


async def test_order_of_keywords_does_not_matter(backend):
    fetch = async_cache()(backend.fetch)
    await fetch(a=1, b=2)
    await fetch(b=2, a=1)
    assert len(backend.calls) == 1


async def test_concurrent_calls_run_once(backend):
    fetch = async_cache()(backend.fetch)
    backend.gate.clear()
    tasks = [asyncio.create_task(fetch("x")) for _ in range(5)]
    await asyncio.sleep(0)
    backend.gate.set()
    assert await asyncio.gather(*tasks) == ["result 1"] * 5
    assert fetch.cache_info().hits == 4
    assert fetch.cache_info().misses == 1


async def test_exceptions_are_shared_but_not_cached(backend):
    fetch = async_cache()(backend.fetch)
    results = await asyncio.gather(fetch("bad"), fetch("bad"), return_exceptions=True)
    assert [type(r) for r in results] == [LookupError, LookupError]
    assert len(backend.calls) == 1
    with pytest.raises(LookupError):
        await fetch("bad")
    assert len(backend.calls) == 2
    assert fetch.cache_info().currsize == 0


async def test_least_recently_used_is_dropped(backend):
    fetch = async_cache(maxsize=2)(backend.fetch)
    await fetch("a")
    await fetch("b")
    await fetch("a")
    await fetch("c")
    await fetch("a")
    assert [args[0] for args, _ in backend.calls] == ["a", "b", "c"]
    await fetch("b")
    assert len(backend.calls) == 4


async def test_cancelled_caller(backend):
    fetch = async_cache()(backend.fetch)
    backend.gate.clear()
    first, second = (asyncio.create_task(fetch("x")) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    backend.gate.set()
    assert await second == "result 1"
    assert first.cancelled()


async def test_clear(backend):
    fetch = async_cache()(backend.fetch)
    await fetch(1)
    fetch.cache_clear()
    assert fetch.cache_info() == (0, 0, 0)
    await fetch(1)
    assert len(backend.calls) == 2


async def test_metadata():
    @async_cache()
    async def lookup(name):
        """Look a name up."""

    assert lookup.__name__ == "lookup"
    assert lookup.__doc__ == "Look a name up."
    assert asyncio.iscoroutinefunction(lookup)
