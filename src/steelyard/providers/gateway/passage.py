"""One call on its way through a gateway."""

import json
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from aiohttp import web

from steelyard.providers.gateway.chat import CHAT, is_usage_event, request_usage
from steelyard.providers.gateway.dialogue import parse_events
from steelyard.providers.gateway.exchange import Ending, Exchange, read_usage
from steelyard.providers.gateway.source import AgentRequest, Incoming


@dataclass(slots=True, kw_only=True)
class Passage:
    """One call on its way: what has passed so far."""

    request: AgentRequest
    hides_usage: bool = False
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    began_ns: int = field(default_factory=time.perf_counter_ns)
    first_byte_us: int | None = None
    incoming: Incoming | None = None
    reply: bytearray = field(default_factory=bytearray)
    response: web.StreamResponse | None = None
    ending: Ending = Ending.ABANDONED
    is_sent: bool = True

    @property
    def elapsed_us(self) -> int:
        """Time since the request arrived."""
        return (time.perf_counter_ns() - self.began_ns) // 1000

    def add(self, piece: bytes) -> None:
        """Keep a piece of the reply."""
        if self.first_byte_us is None:
            self.first_byte_us = self.elapsed_us
        self.reply += piece

    def is_shown(self, event: bytes) -> bool:
        """Whether the agent gets an event: not the usage that only the gateway requested."""
        return not (
            self.hides_usage and any(map(is_usage_event, parse_events(event.decode("utf-8", "replace"))))
        )

    def exchange(self) -> Exchange:
        """Return the record of the call, without its cost."""
        incoming, protocol = self.incoming, self.request.protocol
        exchange = Exchange(
            at=self.at,
            method=self.request.method,
            path=self.request.path,
            protocol=protocol.name if protocol else "",
            request=self.request.body,
            status=incoming.status if incoming else None,
            headers=dict(incoming.headers) if incoming else {},
            reply=self.reply.decode("utf-8", "replace"),
            ending=self.ending,
            first_byte_us=self.first_byte_us,
            latency_us=self.elapsed_us,
            is_sent=self.is_sent,
        )
        return replace(exchange, usage=read_usage(exchange))


def start_passage(request: AgentRequest) -> Passage:
    """Return a call that asks for usage, in a stream too."""
    if request.protocol is CHAT and (counted := request_usage(request.body)) is not None:
        return Passage(request=replace(request, content=json.dumps(counted).encode()), hides_usage=True)
    return Passage(request=request)
