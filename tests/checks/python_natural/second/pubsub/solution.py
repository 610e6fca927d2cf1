import asyncio
from collections import defaultdict
from contextlib import asynccontextmanager

_END = object()


class BrokerClosed(Exception):
    pass


class _Subscription:
    def __init__(self):
        self.queue = asyncio.Queue()

    def __aiter__(self):
        return self

    async def __anext__(self):
        message = await self.queue.get()
        if message is _END:
            raise StopAsyncIteration
        return message


class Broker:
    def __init__(self, on_publish=None):
        self._on_publish = on_publish
        self._subscriptions = defaultdict(list)
        self._closed = False

    @asynccontextmanager
    async def subscribe(self, topic):
        subscription = _Subscription()
        self._subscriptions[topic].append(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions[topic].remove(subscription)

    async def publish(self, topic, message):
        if self._closed:
            raise BrokerClosed("the broker is closed")
        if self._on_publish:
            await self._on_publish(topic, message)
        subscriptions = list(self._subscriptions[topic])
        for subscription in subscriptions:
            await subscription.queue.put(message)
        return len(subscriptions)

    async def close(self):
        self._closed = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                await subscription.queue.put(_END)
