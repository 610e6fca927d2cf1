"""Carry a provider's calls over HTTP: ten thousand at once, each watched for when and what came back.

Knows nothing of vendors; what a body means is said by `llm_dialect` and its kinds.
"""

import asyncio
import json
import resource
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import httpx2

# A pool looks through all of its connections whenever a call begins and ends: with one pool, ten thousand
# calls at once cost minutes of looking. Many small pools cost nothing to speak of.
CALLS_PER_POOL = 20
# So many calls are put together and sent at the same time; the rest wait their turn. Without turns, ten
# thousand calls are all half done for a minute, and our own slowness is measured as the service's.
SENDING_AT_ONCE = 200
SENT = "send_request_body.complete"  # how the HTTP library ends the name of that moment
CONNECT_S = 60.0
KEEP_ALIVE_S = 30.0
LARGEST_BODY = 32 * 1024 * 1024  # bytes, unpacked
_PACKED = frozenset({"content-encoding", "content-length", "transfer-encoding"})  # how a body came


@dataclass(slots=True)
class Pool:
    """One HTTP client, and how many calls use it now."""

    client: httpx2.AsyncClient
    calls: int = 0


@dataclass(slots=True)
class Call:
    """What is seen of one call while it goes over the wire; time begins when the request is ready to be sent.

    `wanted` are fields that the body we send must hold, each by its path: see `missing`.
    """

    pool: Pool
    turn: asyncio.Semaphore
    wanted: Mapping[tuple[str, ...], object] = field(default_factory=dict)
    began_ns: int = field(default_factory=time.perf_counter_ns)
    has_turn: bool = True
    missing: tuple[str, ...] = ()
    first_byte_ns: int | None = None
    is_whole: bool = False  # the body was read in one piece, by us
    response: httpx2.Response | None = None

    def sent(self) -> None:
        """Let the next one take its turn."""
        if self.has_turn:
            self.has_turn = False
            self.turn.release()

    async def trace(self, event: str, _: object) -> None:
        """Hear from the HTTP library how far it is."""
        if event.endswith(SENT):
            self.sent()

    @property
    def first_byte_us(self) -> int | None:
        """How long it took until the first byte of the response came."""
        return None if self.first_byte_ns is None else (self.first_byte_ns - self.began_ns) // 1000

    @property
    def elapsed_us(self) -> int:
        """How long ago the call began."""
        return (time.perf_counter_ns() - self.began_ns) // 1000

    @property
    def is_answered(self) -> bool:
        """Whether the service began to answer, and not with an error."""
        return self.response is not None and self.response.is_success

    def header(self, *names: str) -> str | None:
        """Return the first of some headers that the response has."""
        headers = {} if self.response is None else self.response.headers
        return next((headers[name] for name in names if headers.get(name)), None)

    def body(self) -> Mapping[str, Any] | None:
        """Return the body as it came over the wire, or None if it was read piece by piece.

        Raises ValueError or TypeError when it is no JSON object.
        """
        if self.response is None or not self.is_whole:
            return None
        body = json.loads(self.response.content)
        if not isinstance(body, dict):
            raise TypeError("the body is no JSON object")
        return body


class BodyTooLong(Exception):
    """A service sends more than any answer needs."""


class ParameterDropped(Exception):
    """What was asked for is not in the body that would be sent, so nothing is sent."""


_CALL: ContextVar[Call] = ContextVar("call")


class HttpWire(httpx2.AsyncClient):
    """An HTTP client for a vendor's library that sends each call through one of many small pools."""

    def __init__(self, *, timeout_s: float) -> None:
        self._limits = httpx2.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S), pool=None)
        self._trust = httpx2.create_ssl_context()  # made once: it takes longer than a call
        self._pools: list[Pool] = []
        self._turn = asyncio.Semaphore(SENDING_AT_ONCE)
        super().__init__(timeout=self._limits, verify=self._trust)
        _allow_many_open_files()

    @asynccontextmanager
    async def call(self, wanted: Mapping[tuple[str, ...], object]) -> AsyncIterator[Call]:
        """Wait for a turn, and watch one call, made by whatever runs inside."""
        await self._turn.acquire()
        pool = next((pool for pool in self._pools if pool.calls < CALLS_PER_POOL), None) or self._new_pool()
        call = Call(pool, self._turn, wanted)
        token = _CALL.set(call)
        pool.calls += 1
        try:
            yield call
        finally:
            call.sent()
            pool.calls -= 1
            _CALL.reset(token)

    def _new_pool(self) -> Pool:
        limits = httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S)
        self._pools.append(Pool(httpx2.AsyncClient(timeout=self._limits, verify=self._trust, limits=limits)))
        return self._pools[-1]

    async def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,
        **options: Any,  # noqa: ANN401  # handed on as they come
    ) -> httpx2.Response:
        """Send a request through the pool of the call that it belongs to."""
        call = _CALL.get()
        if call.wanted:
            _demand(call, json.loads(request.content))
        request.extensions["trace"] = call.trace
        call.began_ns = time.perf_counter_ns()
        call.response = await call.pool.client.send(request, stream=True, **options)
        call.first_byte_ns = time.perf_counter_ns()
        if not stream:
            call.response = await _whole(call.response)
            call.is_whole = True
        return call.response

    async def aclose(self) -> None:
        """Close every connection."""
        for pool in self._pools:
            await pool.client.aclose()
        await super().aclose()


async def _whole(response: httpx2.Response) -> httpx2.Response:
    """Return a response with its body, unpacked; one without end is cut off, and fills no memory."""
    body = bytearray()
    try:
        async for part in response.aiter_bytes():
            body += part
            if len(body) > LARGEST_BODY:
                raise BodyTooLong(f"the answer is longer than {LARGEST_BODY >> 20} MiB")
    finally:
        await response.aclose()
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in _PACKED]
    return httpx2.Response(
        response.status_code,
        headers=headers,
        content=bytes(body),
        request=response.request,
        extensions=response.extensions,
    )


def _demand(call: Call, body: Mapping[str, Any]) -> None:
    call.missing = tuple(path[-1] for path, value in call.wanted.items() if _found(body, path) != value)
    if call.missing:
        raise ParameterDropped(", ".join(call.missing))


def _found(body: object, path: tuple[str, ...]) -> object:
    for name in path:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def _allow_many_open_files() -> None:
    """Let this process hold as many connections as the machine lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):  # some systems name a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
