"""Learn a vendor's queue limit per model, from answered and put-back batches."""

from collections import Counter
from collections.abc import Callable

from steelyard.model.request import Request
from steelyard.store.run.batches import OpenBatch


class Room:
    """The number of requests to submit per model; unlimited until a batch is put back."""

    def __init__(self) -> None:
        self._most: dict[str, int] = {}
        self._answered: Counter[str] = Counter()  # requests by model, since the last lesson
        self._put_back: dict[str, int] = {}  # the largest batch of each model

    def admission(self) -> Callable[[Request], bool]:
        """Return a predicate that admits requests within the limit and counts them."""
        counts: Counter[str] = Counter()

        def admits(request: Request) -> bool:
            model = request.key.model
            has_room = counts[model] < self._most.get(model, counts[model] + 1)
            counts[model] += has_room
            return has_room

        return admits

    def answered(self, batch: OpenBatch) -> None:
        """Record an answered batch."""
        self._answered[_model_of(batch)] += len(batch.requests)

    def put_back(self, batch: OpenBatch) -> None:
        """Record a batch that was put back."""
        model = _model_of(batch)
        self._put_back[model] = max(self._put_back.get(model, 0), len(batch.requests))

    def learn(self) -> bool:
        """Update the limits while no batch is open; return True if every batch was put back.

        The new limit is the answered total, or half of the rejected batch. It doubles after a time without
        rejections, since other users may have filled the queue.
        """
        answered, put_back = self._answered, self._put_back
        self._answered, self._put_back = Counter(), {}
        for model in answered.keys() & self._most.keys() - put_back.keys():
            self._most[model] *= 2
        for model, largest in put_back.items():
            self._most[model] = answered[model] or max(1, largest // 2)
        return bool(put_back) and not answered


def _model_of(batch: OpenBatch) -> str:
    return batch.requests[0].key.model
