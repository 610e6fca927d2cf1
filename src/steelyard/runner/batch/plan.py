"""Group requests into batches of one model, within the vendor's limits and the budget."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from uuid import uuid4

from steelyard.errors import ProviderError
from steelyard.model.price import batch_price
from steelyard.model.request import Request
from steelyard.providers.batch.service import BatchService
from steelyard.providers.prices.price_list import PriceList
from steelyard.store.run.batches import BatchedRequest, OpenBatch

LONGEST_ANSWER = 128_000  # tokens, for unlimited answers: a submitted batch cannot be stopped
AROUND_BYTES = 300  # the envelope of a request in a batch

SizedRequest = tuple[Request, int]  # with its bytes in a batch


def fitting(
    requests: Iterable[Request],
    prices: PriceList,
    remaining: int | None,
    size_of: Callable[[Request], int | None],
    admits: Callable[[Request], bool],
) -> Iterator[SizedRequest]:
    """Yield requests whose total highest price fits the remaining budget; None: no limit.

    Requests that are too expensive, cannot be encoded or exceed the vendor's queue are skipped; cheaper
    ones may follow.
    """
    now = datetime.now(UTC)
    for request in requests:
        most = 0 if remaining is None else most_nano_usd(request, prices, now)
        if remaining is not None and most > remaining:
            continue
        size = size_of(request)
        if size is None or not admits(request):
            continue
        if remaining is not None:
            remaining -= most
        yield request, size


def most_nano_usd(request: Request, prices: PriceList, at: datetime) -> int:
    """Return the highest cost of a request in a batch, at least 1."""
    return batch_price(prices.ceiling_nano_usd(request, at, LONGEST_ANSWER) or 1)


def size_in_batch(request: Request, service: BatchService) -> int | None:
    """Return the encoded size of a request, or None if it cannot be encoded."""
    try:
        return AROUND_BYTES + len(json.dumps(service.post(request).body))
    except ProviderError:
        return None


def cut_into_batches(
    requests: Iterable[SizedRequest], service_of: Callable[[str], BatchService]
) -> list[OpenBatch]:
    """Return new batches of all requests."""
    full: list[_Draft] = []
    drafts: dict[str, _Draft] = {}
    for request, size in requests:
        draft = drafts.setdefault(request.key.model, _Draft(request.provider))
        if not draft.takes(size, service_of(request.provider)):
            full.append(draft)
            draft = drafts[request.key.model] = _Draft(request.provider)
        draft.add(request, size)
    return [draft.batch() for draft in (*full, *drafts.values())]


class _Draft:
    """A batch under construction."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._requests: list[BatchedRequest] = []
        self._bytes = 0

    def takes(self, size: int, service: BatchService) -> bool:
        """Whether a request of this size fits; the first always does."""
        return not self._requests or (
            len(self._requests) < service.most_requests and self._bytes + size <= service.most_bytes
        )

    def add(self, request: Request, size: int) -> None:
        self._requests.append(BatchedRequest(request.key, request.prompt_digest, request.parameters.digest))
        self._bytes += size

    def batch(self) -> OpenBatch:
        return OpenBatch(
            name=uuid4().hex,
            provider=self._provider,
            written_at=datetime.now(UTC),
            requests=tuple(self._requests),
        )
