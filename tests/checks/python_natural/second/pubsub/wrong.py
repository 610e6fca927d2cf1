import asyncio
from collections import defaultdict
from contextlib import asynccontextmanager


class BrokerClosed(Exception):
    pass


class Broker:
    def __init__(self, on_publish=None):
        self._on_publish = on_publish
        self._queues = defaultdict(list)
        self._closed = False

    @asynccontextmanager
    async def subscribe(self, topic):
        queue = asyncio.Queue()
        self._queues[topic].append(queue)

        async def messages():
            while not self._closed:
                yield await queue.get()

        yield messages()

    async def publish(self, topic, message):
        if self._on_publish:
            self._on_publish(topic, message)
        for queue in self._queues[topic]:
            await queue.put(message)
        return len(self._queues[topic])

    async def close(self):
        self._closed = True
        for queues in self._queues.values():
            for queue in queues:
                await queue.put(None)
