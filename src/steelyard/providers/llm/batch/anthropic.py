"""Speak Anthropic's batch interface. It keeps no name of ours, so the ids of requests begin with it."""

from collections.abc import Collection, Mapping

from steelyard.errors import ProviderError
from steelyard.model.request import Reply, Request
from steelyard.providers.llm.batch.client import BatchClient, json_lines, reply_of
from steelyard.providers.llm.dialect import Body, Dialect
from steelyard.providers.llm.wire import json_object

ENDED = "ended"


class AnthropicBatches:
    """Message batches."""

    def __init__(self, url: str, dialect: Dialect, client: BatchClient) -> None:
        self._url = f"{url.rstrip('/').removesuffix('/v1')}/v1/messages/batches"
        self._dialect, self._client = dialect, client

    async def submit(self, name: str, requests: Mapping[str, Request]) -> str:
        """Submit all requests in one body; events make no sense here."""
        bodies = {
            one: {**self._dialect.post(request).body, "stream": False} for one, request in requests.items()
        }
        entries = [{"custom_id": f"{name}-{one}", "params": body} for one, body in bodies.items()]
        return str((await self._client.post(self._url, {"requests": entries}))["id"])

    async def find(self, name: str, count: int, taken: Collection[str]) -> str | None:
        """Look at batches of the right size; whose they are is known when they have ended, by their results.

        As long as one of them has not ended, it may be ours: raises ProviderError, to be asked again.
        """
        is_open, after = False, ""
        while True:
            page = json_object(await self._client.get(f"{self._url}?limit=100{after}"))
            for batch in page["data"]:
                if batch["id"] in taken or sum(batch["request_counts"].values()) != count:
                    continue
                if batch["processing_status"] != ENDED:
                    is_open = True
                elif await self._is_named(batch["id"], name):
                    return str(batch["id"])
            if not page.get("has_more"):
                break
            after = f"&after_id={page['last_id']}"
        if is_open:
            raise ProviderError("a batch that may be ours has not ended", kind="unsure", may_retry=True)
        return None

    async def is_ended(self, batch: str) -> bool:
        """Whether the batch has ended, in whatever way."""
        return (await self._state(batch)).get("processing_status") == ENDED

    async def replies(self, batch: str) -> dict[str, Reply]:
        """Read the results that succeeded."""
        found: dict[str, Reply] = {}
        for line in json_lines(await self._client.get(f"{self._url}/{batch}/results")):
            result = line.get("result") or {}
            reply = (
                reply_of(self._dialect, result.get("message")) if result.get("type") == "succeeded" else None
            )
            if reply is not None:
                found[str(line.get("custom_id")).rpartition("-")[2]] = reply
        return found

    async def _is_named(self, batch: str, name: str) -> bool:
        lines = json_lines(await self._client.get(f"{self._url}/{batch}/results"))
        return any(str(line.get("custom_id")).startswith(f"{name}-") for line in lines)

    async def _state(self, batch: str) -> Body:
        return json_object(await self._client.get(f"{self._url}/{batch}"))
