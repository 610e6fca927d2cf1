# --- prompt
# `async timeout_or(awaitable, seconds, default)` returns the default when time runs out.
# --- right
import asyncio


async def timeout_or(awaitable, seconds, default):
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        return default
# --- wrong
import asyncio


async def timeout_or(awaitable, seconds, default):
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        return None
# --- tests
import asyncio
import unittest

from solution import timeout_or


class TimeoutTest(unittest.IsolatedAsyncioTestCase):
    async def test_late(self):
        self.assertEqual(await timeout_or(asyncio.sleep(30), 0.01, "late"), "late")

    async def test_in_time(self):
        self.assertEqual(await timeout_or(asyncio.sleep(0, "x"), 5, None), "x")
