"""Learn how many requests of a model a vendor lets wait, from the batches that it answers or puts back."""

from collections import Counter
from collections.abc import Callable

from steelyard.model.request import Request
from steelyard.store.run.batches import OpenBatch


class Room:
    """How many requests of each model are submitted at a time; all, until the vendor puts a batch back."""

    def __init__(self) -> None:
        self._most: dict[str, int] = {}
        self._answered: Counter[str] = Counter()  # requests by model, since the last lesson
        self._put_back: dict[str, int] = {}  # the largest batch of each model

    def admission(self) -> Callable[[Request], bool]:
        """Return a function that says whether a further request of its model has room, and counts it then."""
        counts: Counter[str] = Counter()

        def admits(request: Request) -> bool:
            model = request.key.model
            has_room = counts[model] < self._most.get(model, counts[model] + 1)
            counts[model] += has_room
            return has_room

        return admits

    def answered(self, batch: OpenBatch) -> None:
        """Note that the vendor had room for a batch."""
        self._answered[_model(batch)] += len(batch.requests)

    def put_back(self, batch: OpenBatch) -> None:
        """Note that it had none."""
        model = _model(batch)
        self._put_back[model] = max(self._put_back.get(model, 0), len(batch.requests))

    def learn(self) -> bool:
        """Set the numbers when no batch is open; return whether there was room for none.

        What was answered together fits again. Where nothing was, half is tried. After a time without refusals
        twice as much is tried, since others may have filled the queue.
        """
        answered, put_back = self._answered, self._put_back
        self._answered, self._put_back = Counter(), {}
        for model in answered.keys() & self._most.keys() - put_back.keys():
            self._most[model] *= 2
        for model, largest in put_back.items():
            self._most[model] = answered[model] or max(1, largest // 2)
        return bool(put_back) and not answered


def _model(batch: OpenBatch) -> str:
    return batch.requests[0].key.model
