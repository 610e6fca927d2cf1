import anyio
import pytest

from solution import first_success, with_timeout


@pytest.fixture
def anyio_backend():
    return "asyncio"


pytestmark = pytest.mark.anyio


class Source:
    def __init__(self, value, delay=0.0):
        self.value = value
        self.delay = delay
        self.state = "new"

    async def __call__(self):
        self.state = "started"
        try:
            await anyio.sleep(self.delay)
        except anyio.get_cancelled_exc_class():
            self.state = "cancelled"
            raise
        self.state = "done"
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


async def test_fastest_wins():
    slow, fast = Source("slow", 5), Source("fast", 0.01)
    assert await first_success([slow, fast]) == "fast"
    assert slow.state == "cancelled"
    assert fast.state == "done"


async def test_failures_are_skipped():
    assert await first_success([Source(OSError("a")), Source("b", 0.02), Source(KeyError("c"), 0.01)]) == "b"


async def test_none_is_a_result():
    assert await first_success([Source(None)]) is None


async def test_all_fail():
    errors = [ValueError("late"), OSError("early")]
    with pytest.raises(ExceptionGroup, match="all failed") as info:
        await first_success([Source(errors[0], 0.02), Source(errors[1])])
    assert list(info.value.exceptions) == errors


async def test_no_functions():
    with pytest.raises(ValueError):
        await first_success([])


async def test_generator_of_functions():
    assert await first_success(Source(n, n / 100) for n in (3, 1, 2)) == 1


@pytest.mark.parametrize("delay, expected", [(0, "value"), (3, "default")])
async def test_with_timeout(delay, expected):
    assert await with_timeout(Source("value", delay), 0.5, default="default") == expected


async def test_timeout_without_default():
    assert await with_timeout(Source("value", 3), 0.05) is None
