"""Speak Gemini's batch interface: requests and results stand in the bodies, our name is the display name."""

from collections.abc import Collection, Mapping

from steelyard.model.request import Reply, Request
from steelyard.providers.llm.batch.client import BatchClient, reply_of
from steelyard.providers.llm.dialect import Body, Dialect
from steelyard.providers.llm.wire import json_object

API = "v1beta"


class GoogleBatches:
    """Batches of `generateContent`, each of one model."""

    def __init__(self, url: str, dialect: Dialect, client: BatchClient) -> None:
        self._url = f"{url.rstrip('/').removesuffix(f'/{API}')}/{API}"
        self._dialect, self._client = dialect, client

    async def submit(self, name: str, requests: Mapping[str, Request]) -> str:
        """Submit all requests in one body."""
        posts = {one: self._dialect.post(request) for one, request in requests.items()}
        entries = [{"request": post.body, "metadata": {"key": one}} for one, post in posts.items()]
        url = next(iter(posts.values())).url.replace(":generateContent", ":batchGenerateContent")
        batch = {"displayName": name, "inputConfig": {"requests": {"requests": entries}}}
        return str((await self._client.post(url, {"batch": batch}))["name"])

    async def find(self, name: str, count: int, taken: Collection[str]) -> str | None:  # noqa: ARG002  # as the port
        """Look for our name among all batches."""
        page = ""
        while True:
            listed = json_object(await self._client.get(f"{self._url}/batches?pageSize=100{page}"))
            for batch in listed.get("operations", ()):
                if (batch.get("metadata") or {}).get("displayName") == name:
                    return str(batch["name"])
            if not listed.get("nextPageToken"):
                return None
            page = f"&pageToken={listed['nextPageToken']}"

    async def is_ended(self, batch: str) -> bool:
        """Whether the operation is done, in whatever way."""
        return bool((await self._state(batch)).get("done"))

    async def replies(self, batch: str) -> dict[str, Reply]:
        """Read the results that are there."""
        response = (await self._state(batch)).get("response") or {}
        found: dict[str, Reply] = {}
        for result in (response.get("inlinedResponses") or {}).get("inlinedResponses", ()):
            reply = reply_of(self._dialect, result["response"]) if result.get("response") else None
            if reply is not None:
                found[str((result.get("metadata") or {}).get("key"))] = reply
        return found

    async def _state(self, batch: str) -> Body:
        return json_object(await self._client.get(f"{self._url}/{batch}"))
