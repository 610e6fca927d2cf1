"""OpenAI's batch API: files of requests and results, the name in the metadata."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request
from steelyard.providers.batch.client import BatchClient
from steelyard.providers.batch.service import BatchPutBack, BatchRefused, PlacedReply
from steelyard.providers.llm.dialect import Body, Post
from steelyard.providers.llm.openai import OpenAiDialect

ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
ENDPOINT = "/v1/chat/completions"
NAME = "steelyard"
OK = 200
QUEUE_IS_FULL = "token_limit_exceeded"  # of a model's queued batches; reported after creation


class OpenAiBatches:
    """Files and batches."""

    most_requests = 50_000
    most_bytes = 100_000_000  # half of OpenAI's limit: larger uploads take long on slow lines

    def __init__(self, settings: ProviderSettings) -> None:
        self._client = BatchClient(settings, OpenAiDialect)
        self._files, self._batches = f"{self._client.url}/files", f"{self._client.url}/batches"

    def post(self, request: Request) -> Post:
        """Return the request in its direct form."""
        return self._client.dialect.post(request)

    async def submit(self, name: str, posts: Sequence[Post]) -> str:
        """Upload the requests, then create a batch of the file; only the batch is billed."""
        lines = [
            {"custom_id": str(index), "method": "POST", "url": ENDPOINT, "body": post.body}
            for index, post in enumerate(posts)
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        file = await self._client.upload(self._files, f"{name}.jsonl", content, lambda made: str(made["id"]))
        body = {
            "input_file_id": file,
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {NAME: name},
        }
        return await self._client.post(self._batches, body, lambda made: str(made["id"]))

    async def find(self, name: str, count: int, since: datetime) -> str | None:
        """Find a batch by the name in its metadata."""
        del count, since
        pages = self._client.pages(
            f"{self._batches}?limit=100", "after", lambda page: _find_named(page, name)
        )
        return await anext((batch_id async for batch_id in pages if batch_id is not None), None)

    async def is_ended(self, batch: str) -> bool:
        """Whether the batch is in a final state."""
        return await self._client.get(f"{self._batches}/{batch}", lambda state: state["status"] in ENDED)

    async def replies(self, batch: str) -> AsyncIterator[PlacedReply]:
        """Yield the results file, which expired batches have too; errors are in another file."""
        file = await self._client.get(f"{self._batches}/{batch}", _find_output)
        if file:
            async for line in self._client.lines(f"{self._files}/{file}/content", self._parse_reply):
                if line is not None:
                    yield line

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _parse_reply(self, line: Body) -> PlacedReply | None:
        response = line.get("response") or {}
        if response.get("status_code") != OK:
            return None
        return int(line["custom_id"]), self._client.reply(response.get("body"))


def _find_output(state: Body) -> str | None:
    """Return the results file; raises ValueError while a billed one is still to come."""
    file, counts = state.get("output_file_id"), state.get("request_counts") or {}
    if state["status"] == "failed" and not file:
        errors = (state.get("errors") or {}).get("data") or ()
        text = "; ".join(str(error.get("message")) for error in errors) or "the batch failed"
        is_for_now = any(error.get("code") == QUEUE_IS_FULL for error in errors)
        raise BatchPutBack(text) if is_for_now else BatchRefused(text)
    if state["status"] not in ENDED or (counts.get("completed") and not file):
        raise ValueError("the results are not available yet")
    return file


def _find_named(page: Body, name: str) -> tuple[str | None, str | None]:
    """Return the batch of that name on a page, and the next cursor."""
    data = page["data"]
    ids = [str(batch["id"]) for batch in data if (batch.get("metadata") or {}).get(NAME) == name]
    return next(iter(ids), None), str(data[-1]["id"]) if page.get("has_more") else None
