"""Anthropic's batch API. Batches have no names, so request ids carry the name as prefix."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta

from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request
from steelyard.providers.batch.client import BatchClient
from steelyard.providers.batch.service import PlacedReply
from steelyard.providers.llm.anthropic import AnthropicDialect
from steelyard.providers.llm.dialect import Body, Post

ENDED = "ended"
CLOCKS = timedelta(hours=1)  # allowance for clock difference and slow uploads


class AnthropicBatches:
    """Message batches."""

    most_requests = 10_000
    most_bytes = 100_000_000  # below Anthropic's limit: larger uploads take long on slow lines

    def __init__(self, settings: ProviderSettings) -> None:
        self._client = BatchClient(settings, AnthropicDialect)
        self._url = f"{self._client.url.removesuffix('/v1')}/v1/messages/batches"
        self._others: set[tuple[str, str]] = set()  # batches known to have another name

    def post(self, request: Request) -> Post:
        """Return the request in its direct form, without streaming."""
        direct = self._client.dialect.post(request)
        return replace(direct, body={**direct.body, "stream": False})

    async def submit(self, name: str, posts: Sequence[Post]) -> str:
        """Submit all requests in one body."""
        entries = [{"custom_id": f"{name}-{index}", "params": post.body} for index, post in enumerate(posts)]
        return await self._client.post(self._url, {"requests": entries}, lambda made: str(made["id"]))

    async def find(self, name: str, count: int, since: datetime) -> str | None:
        """Find a batch by size and by the ids in its results, which exist once it has ended.

        Raises a retryable ProviderError while a candidate has not ended.
        """
        is_open = False
        url = f"{self._url}?limit=100"
        pages = self._client.pages(url, "after_id", lambda page: _list_candidates(page, count, since))
        async for candidates in pages:
            for batch, has_ended in candidates:
                if has_ended and (batch, name) not in self._others:
                    if await self._is_named(batch, name):
                        return batch
                    self._others.add((batch, name))  # its results need not be read again
                is_open = is_open or not has_ended
        if is_open:
            raise ProviderError("a candidate batch has not ended", kind="unsure", may_retry=True)
        return None

    async def is_ended(self, batch: str) -> bool:
        """Whether the batch has ended or failed."""
        url = f"{self._url}/{batch}"
        return await self._client.get(url, lambda state: state["processing_status"] == ENDED)

    async def replies(self, batch: str) -> AsyncIterator[PlacedReply]:
        """Yield the successful results."""
        async for line in self._client.lines(f"{self._url}/{batch}/results", self._parse_reply):
            if line is not None:
                yield line

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _parse_reply(self, line: Body) -> PlacedReply | None:
        result = line["result"]
        if result["type"] != "succeeded":
            return None
        return int(line["custom_id"].rpartition("-")[2]), self._client.reply(result.get("message"))

    async def _is_named(self, batch: str, name: str) -> bool:
        """Whether the first result's id has this name as prefix."""
        url = f"{self._url}/{batch}/results"
        async with aclosing(self._client.lines(url, lambda line: str(line["custom_id"]))) as ids:
            return (await anext(ids, "")).startswith(f"{name}-")


def _list_candidates(page: Body, count: int, since: datetime) -> tuple[list[tuple[str, bool]], str | None]:
    """Return a page's candidate batches, whether each has ended, and the next cursor."""
    candidates = [
        (str(batch["id"]), batch["processing_status"] == ENDED)
        for batch in page["data"]
        if sum(batch["request_counts"].values()) == count
        and abs(datetime.fromisoformat(batch["created_at"]) - since) <= CLOCKS
    ]
    return candidates, str(page["last_id"]) if page.get("has_more") else None
