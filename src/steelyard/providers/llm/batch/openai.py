"""Speak OpenAI's batch interface: files of requests and of results, our name in the metadata of a batch."""

import json
from collections.abc import Collection, Mapping

from steelyard.model.request import Reply, Request
from steelyard.providers.llm.batch.client import BatchClient, json_lines, reply_of
from steelyard.providers.llm.dialect import Body, Dialect
from steelyard.providers.llm.wire import json_object

ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
ENDPOINT = "/v1/chat/completions"
NAME = "steelyard"


class OpenAiBatches:
    """Files and batches."""

    def __init__(self, url: str, dialect: Dialect, client: BatchClient) -> None:
        self._url = url.rstrip("/")
        self._dialect, self._client = dialect, client

    async def submit(self, name: str, requests: Mapping[str, Request]) -> str:
        """Upload the requests, then make a batch of the file."""
        lines = [
            {"custom_id": one, "method": "POST", "url": ENDPOINT, "body": self._dialect.post(request).body}
            for one, request in requests.items()
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        file = await self._client.upload(f"{self._url}/files", f"{name}.jsonl", content)
        body = {
            "input_file_id": file["id"],
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {NAME: name},
        }
        made = await self._client.post(f"{self._url}/batches", body, {"Idempotency-Key": name})
        return str(made["id"])

    async def find(self, name: str, count: int, taken: Collection[str]) -> str | None:  # noqa: ARG002  # as the port
        """Look for our name in the metadata of all batches."""
        after = ""
        while True:
            page = json_object(await self._client.get(f"{self._url}/batches?limit=100{after}"))
            for batch in page["data"]:
                if (batch.get("metadata") or {}).get(NAME) == name:
                    return str(batch["id"])
            if not page.get("has_more"):
                return None
            after = f"&after={page['data'][-1]['id']}"

    async def is_ended(self, batch: str) -> bool:
        """Whether the batch has a final state."""
        return (await self._state(batch)).get("status") in ENDED

    async def replies(self, batch: str) -> dict[str, Reply]:
        """Read the file of results; an expired batch has one, too."""
        file = (await self._state(batch)).get("output_file_id")
        if not file:
            return {}
        found: dict[str, Reply] = {}
        for line in json_lines(await self._client.get(f"{self._url}/files/{file}/content")):
            body = (line.get("response") or {}).get("body")
            reply = None if line.get("error") else reply_of(self._dialect, body)
            if reply is not None:
                found[str(line.get("custom_id"))] = reply
        return found

    async def _state(self, batch: str) -> Body:
        return json_object(await self._client.get(f"{self._url}/batches/{batch}"))
