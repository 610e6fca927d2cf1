"""The interface between the runner and a vendor's batch API."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from steelyard.errors import REJECTED, ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Reply, Request

if TYPE_CHECKING:  # a run without batches needs no HTTP client
    from steelyard.providers.llm.dialect import Post


PlacedReply = tuple[int, Reply | None]  # None: billed but unreadable


class BatchRefused(ProviderError):
    """The vendor rejected a submitted batch: nothing was answered or billed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind=REJECTED)


class BatchPutBack(ProviderError):
    """The vendor's queue is full: nothing was answered or billed; submit again later."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="rate_limited", may_retry=True)


class BatchService(Protocol):
    """One vendor's batch API, for one event loop. Failed calls raise ProviderError.

    `name` is chosen by us, `batch` is the vendor's id. Replies refer to requests by index.
    """

    most_requests: int  # in one batch
    most_bytes: int

    def post(self, request: Request) -> "Post":
        """Encode a request; raises ProviderError for unsupported parameters."""

    async def submit(self, name: str, posts: "Sequence[Post]") -> str:
        """Submit requests of one model, and return the id of the batch."""

    async def find(self, name: str, count: int, since: datetime) -> str | None:
        """Return the id of the batch of this name and size, or None.

        Raises a retryable ProviderError while the vendor cannot tell.
        """

    async def is_ended(self, batch: str) -> bool:
        """Whether the batch is final."""

    def replies(self, batch: str) -> AsyncIterator[PlacedReply]:
        """Yield the indexed replies of an ended batch; unanswered requests are missing.

        Raises BatchRefused if the vendor rejected the batch, BatchPutBack if its queue was full.
        """

    async def close(self) -> None:
        """Close the connections."""


class BatchServiceMaker(Protocol):
    """Creates the batch service of a provider."""

    def __call__(self, settings: ProviderSettings) -> BatchService:
        """Return the service; raises UserError if a key or a setting is missing."""
