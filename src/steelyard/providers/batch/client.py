"""Send the calls of a batch interface; whatever goes wrong is a ProviderError that repeats no key.

A call may take as long as bytes come: a batch is large. Only silence is limited, by the provider's timeout.
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
        """Find the key and the address; raises UserError if one is missing."""
        setup = setup_of(settings)
        self._access = setup.access
        self._name = settings.name
        self.dialect = make_dialect(setup)
        self.url = self._access.url.rstrip("/")
        self._wire = HttpWire(timeout_s=settings.timeout_s, silent_s=settings.timeout_s)

    async def get(self, url: str, read: Callable[[Body], Read]) -> Read:
        """Return what is read from a JSON object."""
        return await self._call("GET", url, lambda content: read(json_object(content)))

    async def pages(
        self, url: str, following: str, read: Callable[[Body], tuple[Read, str | None]]
    ) -> AsyncIterator[Read]:
        """Give what is read from each page of a list; `read` also says where the next one begins.

        `following` is the vendor's name of the parameter by which that is asked for.
        """
        page: str | None = url
        while page is not None:
            found, after = await self.get(page, read)
            yield found
            page = None if after is None else f"{url}&{following}={after}"

    async def lines(self, url: str, read: Callable[[Body], Read]) -> AsyncGenerator[Read, None]:
        """Give what is read from each line of a file of JSON lines, as they come."""
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
        """Send JSON, and return what is read from the JSON that comes back."""
        data = BytesIO(json.dumps(body).encode())
        return await self._call("POST", url, lambda content: read(json_object(content)), data, JSON)

    async def upload(self, url: str, name: str, content: bytes, read: Callable[[Body], Read]) -> Read:
        """Send a file for a batch, and return what is read from the JSON that comes back."""
        form = file_form(name, content, purpose="batch")
        return await self._call("POST", url, lambda found: read(json_object(found)), form)

    async def close(self) -> None:
        """Let go of connections."""
        await self._wire.close()

    def reply(self, body: Any) -> Reply | None:  # noqa: ANN401  # as it came
        """Return the reply in one result; None if it is not what the protocol promises."""
        try:
            said = self.dialect.said(body)
        except UNREADABLE:
            return None
        return Reply(text=said.text, finish_reason=said.finish_reason, usage=said.usage, request_id=said.id)

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
        """Begin a call; what goes wrong with it becomes a ProviderError."""
        call = await self._wire.begin()
        try:
            yield call
        except Exception as error:
            known = fault(error, call, service=self._name, secret=self._access.key, address=self._access.url)
            if known is None:
                raise
            raise known from None  # what was raised may hold the key
        finally:
            call.sent()
