"""The seam between the runner and a vendor's batch interface."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from steelyard.errors import REJECTED, ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Reply, Request

if TYPE_CHECKING:  # a run without batches needs no HTTP client
    from steelyard.providers.llm.dialect import Post


PlacedReply = tuple[int, Reply | None]  # None: it cannot be read, though it was paid for


class BatchRefused(ProviderError):
    """The vendor took a batch and then would not work on it: nothing was answered or paid for."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind=REJECTED)


class BatchPutBack(ProviderError):
    """The vendor took a batch and put it back, since too much is waiting: nothing was answered or paid."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="rate_limited", may_retry=True)


class BatchService(Protocol):
    """One vendor's interface, for one event loop. What goes wrong with a call raises ProviderError.

    `name` is ours and sent along, `batch` is the vendor's id. Requests are known by their place.
    """

    most_requests: int  # in one batch
    most_bytes: int

    def post(self, request: Request) -> "Post":
        """Return a request in the vendor's words; raises ProviderError for what they cannot say."""

    async def submit(self, name: str, posts: "Sequence[Post]") -> str:
        """Submit requests of one model, and return the id of the batch."""

    async def find(self, name: str, count: int, since: datetime) -> str | None:
        """Return the id of a batch of so many requests that was submitted under a name; None: not found.

        Raises ProviderError with `may_retry` as long as the vendor cannot say.
        """

    async def is_ended(self, batch: str) -> bool:
        """Whether nothing more will be answered."""

    def replies(self, batch: str) -> AsyncIterator[PlacedReply]:
        """Give the replies of a batch that has ended, with their places; what was not answered is missing.

        Raises BatchRefused if the vendor refused the batch as a whole, and BatchPutBack if only for now.
        """

    async def close(self) -> None:
        """Let go of connections."""


class BatchServiceMaker(Protocol):
    """Makes the batch interface of a provider; what the table of batch interfaces names."""

    def __call__(self, settings: ProviderSettings) -> BatchService:
        """Return the interface; raises UserError when a key or a setting is missing."""
