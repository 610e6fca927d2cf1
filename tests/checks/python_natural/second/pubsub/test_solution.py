import asyncio
import unittest
from unittest.mock import AsyncMock, call

from solution import Broker, BrokerClosed


class BrokerTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.callback = AsyncMock()
        self.broker = Broker(on_publish=self.callback)

    async def collect(self, subscription):
        async with asyncio.timeout(5):
            return [message async for message in subscription]

    async def test_messages_in_order(self):
        async with self.broker.subscribe("news") as subscription:
            for n in range(3):
                await self.broker.publish("news", n)
            await self.broker.close()
            self.assertEqual(await self.collect(subscription), [0, 1, 2])

    async def test_topics_are_separate(self):
        async with self.broker.subscribe("a") as a, self.broker.subscribe("b") as b:
            await self.broker.publish("a", "for a")
            await self.broker.publish("b", "for b")
            await self.broker.close()
            self.assertEqual(await self.collect(a), ["for a"])
            self.assertEqual(await self.collect(b), ["for b"])

    async def test_number_of_subscribers(self):
        self.assertEqual(await self.broker.publish("x", 1), 0)
        async with self.broker.subscribe("x"):
            async with self.broker.subscribe("x"):
                self.assertEqual(await self.broker.publish("x", 2), 2)
            self.assertEqual(await self.broker.publish("x", 3), 1)
        self.assertEqual(await self.broker.publish("x", 4), 0)

    async def test_waiting_consumer(self):
        async with self.broker.subscribe("x") as subscription:
            task = asyncio.create_task(self.collect(subscription))
            await asyncio.sleep(0)
            await self.broker.publish("x", "late")
            await self.broker.close()
            self.assertEqual(await task, ["late"])

    async def test_callback_is_awaited(self):
        await self.broker.publish("x", 1)
        await self.broker.publish("y", None)
        self.assertEqual(self.callback.await_args_list, [call("x", 1), call("y", None)])

    async def test_closed(self):
        await self.broker.close()
        with self.assertRaises(BrokerClosed):
            await self.broker.publish("x", 1)
        self.callback.assert_not_awaited()
