"""Where a gateway's replies come from: a service, or a record."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol as Interface

from steelyard.providers.gateway.dialogue import Protocol
from steelyard.providers.llm.dialect import Body
from steelyard.providers.llm.wire import EVENTS

EVENT_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest:
    """An agent's request, without its key. `content` is what the service gets."""

    method: str
    path: str  # without the version in front
    query: str
    headers: Mapping[str, str]
    content: bytes
    body: Body
    protocol: Protocol | None

    @property
    def is_anthropic(self) -> bool:
        """Whether the request has Anthropic's form."""
        return self.path.startswith("/messages") or "anthropic-version" in self.headers


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A reply that has begun; of a stream, each piece is an event. Iterating raises ConnectionCut."""

    status: int
    headers: Mapping[str, str]
    pieces: AsyncIterator[bytes]

    @property
    def is_events(self) -> bool:
        """Whether the reply is a stream of events."""
        return self.headers.get("content-type", "").startswith(EVENTS)


class ConnectionCut(Exception):
    """The service ended the connection before its reply was complete."""

    def __init__(self, message: str = "", *, is_sent: bool = True) -> None:
        super().__init__(message)
        self.is_sent = is_sent  # False: the service never got the request


class Source(Interface):
    """Answers requests."""

    def open(self, request: AgentRequest) -> AbstractAsyncContextManager[Incoming]:
        """Send a request; raises ConnectionCut."""

    async def close(self) -> None:
        """Close every connection."""


async def split_events(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield each event as soon as it is whole, then the rest; a cut comes after the rest."""
    rest = b""
    try:
        async for piece in pieces:
            rest += piece
            begin = 0
            for end in EVENT_END.finditer(rest):
                yield rest[begin : end.end()]
                begin = end.end()
            rest = rest[begin:]
    except ConnectionCut:
        if rest:
            yield rest
        raise
    if rest:
        yield rest
