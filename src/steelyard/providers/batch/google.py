"""Gemini's batch API: requests and results in the bodies, the name as display name."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request
from steelyard.providers.batch.client import BatchClient
from steelyard.providers.batch.service import BatchRefused, PlacedReply
from steelyard.providers.llm.dialect import Body, Post
from steelyard.providers.llm.google import API, GoogleDialect

SUCCEEDED = "BATCH_STATE_SUCCEEDED"
FAILED = "BATCH_STATE_FAILED"
ENDED = frozenset({SUCCEEDED, FAILED, "BATCH_STATE_CANCELLED", "BATCH_STATE_EXPIRED"})


class GoogleBatches:
    """Batches of `generateContent`, each of one model."""

    most_requests = 5_000  # below Google's limit: all results arrive in one body
    most_bytes = 20_000_000

    def __init__(self, settings: ProviderSettings) -> None:
        self._client = BatchClient(settings, GoogleDialect)
        self._url = f"{self._client.url.removesuffix(f'/{API}')}/{API}"

    def post(self, request: Request) -> Post:
        """Return the request in its direct form."""
        return self._client.dialect.post(request)

    async def submit(self, name: str, posts: Sequence[Post]) -> str:
        """Submit all requests in one body."""
        entries = [
            {"request": post.body, "metadata": {"key": str(index)}} for index, post in enumerate(posts)
        ]
        url = posts[0].url.replace(":generateContent", ":batchGenerateContent")
        batch = {"displayName": name, "inputConfig": {"requests": {"requests": entries}}}
        return await self._client.post(url, {"batch": batch}, lambda made: str(made["name"]))

    async def find(self, name: str, count: int, since: datetime) -> str | None:
        """Find a batch by its display name."""
        del count, since
        url = f"{self._url}/batches?pageSize=100"
        pages = self._client.pages(url, "pageToken", lambda page: _find_named(page, name))
        return await anext((batch_id async for batch_id in pages if batch_id is not None), None)

    async def is_ended(self, batch: str) -> bool:
        """Whether the operation has ended or failed."""
        return await self._client.get(f"{self._url}/{batch}", _is_ended)

    async def replies(self, batch: str) -> AsyncIterator[PlacedReply]:
        """Yield the results; a failed batch has none."""
        for reply in await self._client.get(f"{self._url}/{batch}", self._parse_replies):
            yield reply

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _parse_replies(self, state: Body) -> list[PlacedReply]:
        metadata = state.get("metadata") or {}
        # The results' location varies, and their parent may exist without them.
        places = (state.get("response") or {}, metadata.get("output") or {})
        inlined = next((item["inlinedResponses"] for item in places if item.get("inlinedResponses")), None)
        if not _is_ended(state) or (metadata.get("state") == SUCCEEDED and inlined is None):
            raise ValueError("the results are not available yet")
        if inlined is None and (state.get("error") or metadata.get("state") == FAILED):
            raise BatchRefused(str((state.get("error") or {}).get("message") or "the batch failed"))
        return [
            (int(result["metadata"]["key"]), self._client.reply(result["response"]))
            for result in (inlined or {}).get("inlinedResponses", ())
            if result.get("response")
        ]


def _is_ended(state: Body) -> bool:
    return bool(state.get("done")) or (state.get("metadata") or {}).get("state") in ENDED


def _find_named(page: Body, name: str) -> tuple[str | None, str | None]:
    """Return the batch of that name on a page, and the next cursor."""
    operations = page.get("operations", ())
    names = [
        str(operation["name"])
        for operation in operations
        if (operation.get("metadata") or {}).get("displayName") == name
    ]
    return next(iter(names), None), page.get("nextPageToken") or None
