# --- prompt
# An async generator `countdown(n)` from n to 1.
# --- right
async def countdown(n):
    while n > 0:
        yield n
        n -= 1
# --- wrong
async def countdown(n):
    while n >= 0:
        yield n
        n -= 1
# --- tests
import pytest

from solution import countdown


@pytest.mark.asyncio
async def test_countdown():
    assert [n async for n in countdown(3)] == [3, 2, 1]
