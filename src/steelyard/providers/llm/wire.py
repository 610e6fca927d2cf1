"""HTTP for provider calls: thousands at once, each with its timings.

Vendor-neutral; dialects interpret the bodies.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from steelyard.model.version import GENERATOR
from steelyard.providers.llm.dialect import Body, Post
from steelyard.providers.open_files import allow_many_open_files

# Calls encoded and sent at a time. With more, thousands of calls would wait half sent, and Steelyard's own
# delay would count as the service's latency.
SENDING_AT_ONCE = 200
CONNECT_S = 60.0
PIECE = 64 * 1024
LARGEST_BODY = 32 * 1024 * 1024  # bytes, unpacked
SUCCESS = range(200, 300)
EVENTS = "text/event-stream"
Sent = bytes | BytesIO | aiohttp.FormData | None  # bytes of a request body sent at a time


@dataclass(slots=True)
class Call:
    """The observed progress of one call; timing starts when the request is ready to send."""

    turn: asyncio.Semaphore
    began_ns: int = field(default_factory=time.perf_counter_ns)
    has_turn: bool = True
    first_byte_ns: int | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def sent(self) -> None:
        """Mark the request as sent and admit the next call."""
        if self.has_turn:
            self.has_turn = False
            self.turn.release()

    @property
    def first_byte_us(self) -> int | None:
        """Time to the first byte of the response, in microseconds."""
        return None if self.first_byte_ns is None else (self.first_byte_ns - self.began_ns) // 1000

    @property
    def elapsed_us(self) -> int:
        """Time since the call began, in microseconds."""
        return (time.perf_counter_ns() - self.began_ns) // 1000

    @property
    def is_answered(self) -> bool:
        """Whether a successful response has begun."""
        return self.status in SUCCESS

    @property
    def is_events(self) -> bool:
        """Whether the response is a stream of events."""
        return self.headers.get("Content-Type", "").startswith(EVENTS)

    def header(self, *names: str) -> str | None:
        """Return the first of these headers that is present."""
        return next((self.headers[name] for name in names if self.headers.get(name)), None)


class BodyTooLong(Exception):
    """The response body exceeds its size limit."""


class HttpWire:
    """An HTTP client for one event loop, with reused connections."""

    def __init__(self, *, timeout_s: float, silent_s: float | None = None) -> None:
        """Set the timeouts of connecting and of reading; None: no limit."""
        self._connect_s, self._silent_s = min(timeout_s, CONNECT_S), silent_s
        self._turn = asyncio.Semaphore(SENDING_AT_ONCE)
        self._session: aiohttp.ClientSession | None = None
        allow_many_open_files()

    async def begin(self) -> Call:
        """Wait for permission to start a call."""
        await self._turn.acquire()
        return Call(self._turn)

    async def send(self, post: Post, call: Call) -> bytes:
        """Send a request and return the body of the response, whatever its status."""
        content = json.dumps(post.body).encode()
        headers = {"Content-Type": "application/json", **post.headers}
        return await self.request("POST", post.url, call, data=content, headers=headers)

    async def request(  # noqa: PLR0913  # the parts of an HTTP request
        self,
        method: str,
        url: str,
        call: Call,
        *,
        data: Sent,
        headers: Mapping[str, str],
        largest: int | None = None,
    ) -> bytes:
        """Send a request; raises BodyTooLong for a body above `largest`, or above the default."""
        async with self.responding(method, url, call, data=data, headers=headers) as response:
            return await whole(response, call, largest or LARGEST_BODY)

    @asynccontextmanager
    async def responding(
        self, method: str, url: str, call: Call, *, data: Sent, headers: Mapping[str, str]
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request and yield the response before its body is read."""
        if "@" in url.partition("://")[2].partition("/")[0]:  # credentials in the address belong to a gateway
            headers = {name: value for name, value in headers.items() if name != "Authorization"}
        call.began_ns = time.perf_counter_ns()
        # Redirects are not followed: the key would be sent elsewhere.
        async with self._opened().request(
            method,
            url,
            data=data,
            headers=headers,
            allow_redirects=False,
            proxy=_proxy(url),
            trace_request_ctx=call,
        ) as response:
            call.status, call.headers = response.status, response.headers
            yield response

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()

    def _opened(self) -> aiohttp.ClientSession:
        """Return the session, created with the first call, inside the event loop."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                # `connect` too: a proxy may accept a connection and never forward it.
                timeout=aiohttp.ClientTimeout(
                    total=None,
                    connect=self._connect_s,
                    sock_connect=self._connect_s,
                    sock_read=self._silent_s,
                ),
                headers={"User-Agent": GENERATOR},
                trace_configs=[_watch()],
            )
        return self._session


async def whole(response: aiohttp.ClientResponse, call: Call, largest: int) -> bytes:
    """Return the decompressed body; raises BodyTooLong."""
    body = bytearray()
    async for piece in response.content.iter_chunked(PIECE):
        call.first_byte_ns = call.first_byte_ns or time.perf_counter_ns()
        body += piece
        if len(body) > largest:
            raise BodyTooLong(f"the answer is longer than {largest >> 20} MiB")
    return bytes(body)


async def lines_of(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the lines of a body as they arrive; raises BodyTooLong."""
    rest = bytearray()
    async for piece in response.content.iter_chunked(PIECE):
        rest += piece
        if b"\n" in piece:
            *ended, rest = rest.split(b"\n")
            for line in ended:
                yield bytes(line)
        if len(rest) > LARGEST_BODY:
            raise BodyTooLong(f"a line of the answer is longer than {LARGEST_BODY >> 20} MiB")
    if rest:
        yield bytes(rest)


def file_form(name: str, content: bytes, **fields: str) -> Sent:
    """Return a multipart form with a JSON-lines file."""
    form = aiohttp.FormData(fields)
    form.add_field("file", BytesIO(content), filename=name, content_type="application/jsonl")
    return form


def events(content: bytes) -> list[Body]:
    r"""Return the data of a stream of events, each a JSON object.

    >>> events(b'event: a\ndata: {"type": "a"}\n\n: a comment\ndata: [DONE]\n\n')
    [{'type': 'a'}]
    """
    # Split bytes: text would also be split at U+2028, which JSON may contain.
    markups = [
        line.removeprefix(b"data:").strip() for line in content.splitlines() if line.startswith(b"data:")
    ]
    return [json_object(text) for text in markups if text != b"[DONE]"]


def json_object(content: bytes | str) -> Body:
    """Parse a body; raises ValueError or TypeError unless it is a JSON object."""
    body = json.loads(content)
    if not isinstance(body, dict):
        raise TypeError("the body is no JSON object")
    return body


@lru_cache
def _proxy(url: str) -> str | None:
    """Return the environment's proxy for an address, cached: the lookup is slow."""
    with suppress(ValueError):  # an invalid address, which the call reports
        parts = urlsplit(url)
        return None if proxy_bypass(parts.netloc.rpartition("@")[2]) else getproxies().get(parts.scheme)
    return None


def _watch() -> aiohttp.TraceConfig:
    """Notify calls when their request has been sent."""

    async def sent(_: aiohttp.ClientSession, context: SimpleNamespace, __: object) -> None:
        context.trace_request_ctx.sent()

    watch = aiohttp.TraceConfig()
    watch.on_request_headers_sent.append(sent)
    return watch
