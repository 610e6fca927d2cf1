# --- prompt
# `async sleep_sort(numbers)` returns small non-negative numbers sorted by tasks that sleep.
# --- right
import asyncio


async def sleep_sort(numbers):
    result = []

    async def put(number):
        await asyncio.sleep(number / 20)
        result.append(number)

    await asyncio.gather(*map(put, numbers))
    return result
# --- wrong
import asyncio


async def sleep_sort(numbers):
    result = []

    async def put(number):
        await asyncio.sleep(number / 20)
        result.append(number)

    await asyncio.gather(*map(put, numbers))
    return result[:-1]
# --- tests
import asyncio

from solution import sleep_sort


def test_sorted():
    assert asyncio.run(sleep_sort([3, 1, 2])) == [1, 2, 3]
