"""Send the calls of a batch interface; whatever goes wrong is a ProviderError that repeats no key."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any

from steelyard.model.request import Reply
from steelyard.providers.llm.access import Access
from steelyard.providers.llm.dialect import Body, Dialect
from steelyard.providers.llm.errors import UNREADABLE, Refused, fault
from steelyard.providers.llm.wire import Call, HttpWire, Sent, file_form, json_object


class BatchClient:
    """Calls one vendor; one event loop."""

    def __init__(
        self, name: str, access: Access, wire: HttpWire, headers: Mapping[str, str], timeout_s: float
    ) -> None:
        self._name, self._access, self._wire = name, access, wire
        self._headers, self._timeout_s = headers, timeout_s

    async def get(self, url: str) -> bytes:
        """Return the body of a response."""
        return await self._call("GET", url, None, {})

    async def post(self, url: str, body: Body, headers: Mapping[str, str] | None = None) -> Body:
        """Send JSON, and return JSON."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        return json_object(await self._call("POST", url, json.dumps(body).encode(), sent))

    async def upload(self, url: str, name: str, content: bytes) -> Body:
        """Send a file for a batch, and return JSON."""
        form = file_form(name, content, purpose="batch")
        return json_object(await self._call("POST", url, form, {}))

    async def _call(self, method: str, url: str, data: Sent, headers: Mapping[str, str]) -> bytes:
        call = await self._wire.begin()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._taken(method, url, call, data, {**self._headers, **headers})
        except Exception as error:
            known = fault(error, call, service=self._name, secret=self._access.key, address=self._access.url)
            if known is None:
                raise
            raise known from None  # what was raised may hold the key
        finally:
            call.sent()

    async def _taken(
        self,
        method: str,
        url: str,
        call: Call,
        data: Sent,
        headers: Mapping[str, str],
    ) -> bytes:
        content = await self._wire.request(method, url, call, data, headers)
        if not call.is_answered:
            raise Refused(call.status or 0, content)
        return content


def reply_of(dialect: Dialect, body: Any) -> Reply | None:  # noqa: ANN401  # as it came
    """Return the reply in the body of one result; None if it is not what the protocol promises."""
    try:
        said = dialect.said(body)
    except UNREADABLE:
        return None
    return Reply(text=said.text, finish_reason=said.finish_reason, usage=said.usage, request_id=said.id)


def json_lines(content: bytes) -> Iterable[dict[str, Any]]:
    """Return the objects of a file of JSON lines; a line that is none is left out."""
    for line in content.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
