import heapq


class JobQueue:
    def __init__(self):
        self._heap = []

    def push(self, name, priority=0):
        heapq.heappush(self._heap, (-priority, name))

    def cancel(self, name):
        for entry in self._heap:
            if entry[1] == name:
                self._heap.remove(entry)
                heapq.heapify(self._heap)
                return
        raise KeyError(name)

    def pop(self):
        return heapq.heappop(self._heap)[1]

    def __len__(self):
        return len(self._heap)

    def __contains__(self, name):
        return any(entry[1] == name for entry in self._heap)
