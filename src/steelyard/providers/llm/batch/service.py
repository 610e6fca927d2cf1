"""The seam between the runner and a vendor's batch interface."""

from collections.abc import Collection, Mapping
from typing import Protocol

from steelyard.model.request import Reply, Request


class BatchService(Protocol):
    """One vendor's interface. An id is the vendor's name of a batch; a name is ours, and sent along."""

    async def submit(self, name: str, requests: Mapping[str, Request]) -> str:
        """Submit requests by their own ids, and return the id of the batch; raises ProviderError."""

    async def find(self, name: str, count: int, taken: Collection[str]) -> str | None:
        """Return the id of a batch that was submitted under a name; None if there is none.

        `count` is how many requests it has; `taken` are ids that belong to other names.
        """

    async def is_ended(self, batch: str) -> bool:
        """Whether nothing more will be answered."""

    async def replies(self, batch: str) -> dict[str, Reply]:
        """Return the replies of a batch that has ended, by the ids of requests; some may be missing."""
