import heapq
from itertools import count


class JobQueue:
    def __init__(self):
        self._heap = []
        self._entries = {}
        self._counter = count()

    def push(self, name, priority=0):
        order = self._entries[name][1] if name in self._entries else next(self._counter)
        entry = (-priority, order, name)
        self._entries[name] = entry
        heapq.heappush(self._heap, entry)

    def cancel(self, name):
        del self._entries[name]

    def pop(self):
        while self._heap:
            entry = heapq.heappop(self._heap)
            name = entry[2]
            if self._entries.get(name) is entry:
                del self._entries[name]
                return name
        raise IndexError("pop from an empty queue")

    def __len__(self):
        return len(self._entries)

    def __contains__(self, name):
        return name in self._entries
