"""Learn how many requests of a model a vendor lets wait, from the batches that it answers or puts back."""

from collections import Counter
from collections.abc import Iterable, Iterator

from steelyard.errors import ProviderError
from steelyard.runner.batch.plan import SizedRequest
from steelyard.store.run.batches import OpenBatch


class Room:
    """How many requests of each model are submitted at a time; all, until the vendor puts a batch back."""

    def __init__(self) -> None:
        self._most: dict[str, int] = {}
        self._answered: Counter[str] = Counter()  # requests by model, since the last lesson
        self._put_back: dict[str, int] = {}  # the largest batch of each model

    def admitted(self, requests: Iterable[SizedRequest]) -> Iterator[SizedRequest]:
        """Give the first requests of each model, as many as there is room for."""
        counts: Counter[str] = Counter()
        for request, size in requests:
            model = request.key.model
            counts[model] += 1
            if counts[model] <= self._most.get(model, counts[model]):
                yield request, size

    def answered(self, batch: OpenBatch) -> None:
        """Note that the vendor had room for a batch."""
        self._answered[_model(batch)] += len(batch.requests)

    def put_back(self, batch: OpenBatch) -> None:
        """Note that it had none."""
        model = _model(batch)
        self._put_back[model] = max(self._put_back.get(model, 0), len(batch.requests))

    def learn(self) -> bool:
        """Set the numbers when no batch is open; return whether some model had no room for any batch.

        What was answered together fits again. Where nothing was, half is tried, until one request is too
        many: then ProviderError is raised. After a time without refusals twice as much is tried, since others
        may have filled the queue.
        """
        answered, put_back = self._answered, self._put_back
        self._answered, self._put_back = Counter(), {}
        for model in answered.keys() & self._most.keys() - put_back.keys():
            self._most[model] *= 2
        for model, largest in put_back.items():
            if largest == 1 and not answered[model]:
                message = f"{model}: no room for a batch of even one request; try again later"
                raise ProviderError(message, kind="rate_limited")
            self._most[model] = answered[model] or largest // 2
        return any(not answered[model] for model in put_back)


def _model(batch: OpenBatch) -> str:
    return batch.requests[0].key.model
