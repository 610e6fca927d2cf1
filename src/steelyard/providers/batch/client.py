"""HTTP calls of a batch API; failures raise ProviderError without the key.

Batches are large: only silence is limited, by the provider's timeout.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any, TypeVar

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Reply
from steelyard.providers.llm.dialect import Body, Dialect, Setup, setup_of
from steelyard.providers.llm.errors import UNREADABLE, Refused, fault
from steelyard.providers.llm.wire import (
    LARGEST_BODY,
    BodyTooLong,
    Call,
    HttpWire,
    Sent,
    file_form,
    json_object,
    lines_of,
    whole,
)

LARGEST_OBJECT = 1 << 30  # bytes: Google sends all replies of a batch in one
MOST_LINES = 100_000  # of results; no vendor takes more requests in one batch
JSON = {"Content-Type": "application/json"}

Read = TypeVar("Read")


class BatchClient:
    """Calls one vendor, in one event loop."""

    def __init__(self, settings: ProviderSettings, make_dialect: Callable[[Setup], Dialect]) -> None:
        """Look up key and address; raises UserError if one is missing."""
        setup = setup_of(settings)
        self._access = setup.access
        self._name = settings.name
        self.dialect = make_dialect(setup)
        self.url = self._access.url.rstrip("/")
        self._wire = HttpWire(timeout_s=settings.timeout_s, silent_s=settings.timeout_s)

    async def get(self, url: str, read: Callable[[Body], Read]) -> Read:
        """Fetch a JSON object and return it parsed by `read`."""
        return await self._call("GET", url, lambda content: read(json_object(content)))

    async def pages(
        self, url: str, following: str, read: Callable[[Body], tuple[Read, str | None]]
    ) -> AsyncIterator[Read]:
        """Yield the parsed pages of a list; `read` also returns the next page's cursor.

        `following` is the vendor's name of the cursor parameter.
        """
        page: str | None = url
        while page is not None:
            result, after = await self.get(page, read)
            yield result
            page = None if after is None else f"{url}&{following}={after}"

    async def lines(self, url: str, read: Callable[[Body], Read]) -> AsyncGenerator[Read, None]:
        """Yield the parsed lines of a JSON-lines file as they arrive."""
        async with (
            self._calling() as call,
            self._wire.responding("GET", url, call, data=None, headers=self.dialect.headers) as response,
        ):
            if not call.is_answered:
                raise Refused(call.status or 0, await whole(response, call, LARGEST_BODY))
            count = 0
            async for line in lines_of(response):
                count += 1
                if count > MOST_LINES:
                    raise BodyTooLong(f"there are more than {MOST_LINES:,} results")
                yield read(json_object(line))

    async def post(self, url: str, body: Body, read: Callable[[Body], Read]) -> Read:
        """Post JSON and return the parsed response."""
        data = BytesIO(json.dumps(body).encode())
        return await self._call("POST", url, lambda content: read(json_object(content)), data, JSON)

    async def upload(self, url: str, name: str, content: bytes, read: Callable[[Body], Read]) -> Read:
        """Upload a file of a batch and return the parsed response."""
        form = file_form(name, content, purpose="batch")
        return await self._call("POST", url, lambda result: read(json_object(result)), form)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    def reply(self, body: Any) -> Reply | None:  # noqa: ANN401  # as it came
        """Return the reply of one result; None if it violates the protocol."""
        try:
            reply = self.dialect.parse_reply(body)
        except UNREADABLE:
            return None
        return Reply(
            text=reply.text, finish_reason=reply.finish_reason, usage=reply.usage, request_id=reply.id
        )

    async def _call(
        self,
        method: str,
        url: str,
        read: Callable[[bytes], Read],
        data: Sent = None,
        headers: Mapping[str, str] | None = None,
    ) -> Read:
        sent = {**self.dialect.headers, **(headers or {})}
        async with self._calling() as call:
            content = await self._wire.request(
                method, url, call, data=data, headers=sent, largest=LARGEST_OBJECT
            )
            if not call.is_answered:
                raise Refused(call.status or 0, content)
            return read(content)

    @asynccontextmanager
    async def _calling(self) -> AsyncIterator[Call]:
        """Start a call; its failures become ProviderErrors."""
        call = await self._wire.begin()
        try:
            yield call
        except Exception as error:
            provider_error = fault(
                error, call, service=self._name, secret=self._access.key, address=self._access.url
            )
            if provider_error is None:
                raise
            raise provider_error from None  # what was raised may hold the key
        finally:
            call.sent()
