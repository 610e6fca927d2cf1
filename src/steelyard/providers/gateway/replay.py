"""Answer an agent from a record, without a model."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from steelyard.model.sample import text_digest
from steelyard.providers.gateway.dialogue import Protocol
from steelyard.providers.gateway.exchange import PROTOCOLS, Ending, Exchange
from steelyard.providers.gateway.source import AgentRequest, ConnectionCut, Incoming, split_events
from steelyard.providers.llm.dialect import Body

NOT_RECORDED = 404


class Replay:
    """Gives equal requests their recorded replies, in order.

    Agents put times, session ids and temporary paths into their requests. One that differs from all records
    gets the next reply to a request of the same model with as many messages and the same tools.
    """

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._remaining = [exchange for exchange in exchanges if exchange.ending is not Ending.REFUSED]
        self.differing = 0  # requests that were answered though they differ

    @property
    def remaining(self) -> int:
        """The number of replies that no request has taken yet."""
        return len(self._remaining)

    @asynccontextmanager
    async def open(self, request: AgentRequest) -> AsyncIterator[Incoming]:
        """Answer a request; raises ConnectionCut where the recorded reply was cut."""
        exchange = self._take(request)
        if exchange is None:
            message = "this request is not in the record"
            error = request.protocol.encode_error(message) if request.protocol else {"error": message}
            headers = {"content-type": "application/json", "x-should-retry": "false"}
            yield Incoming(status=NOT_RECORDED, headers=headers, pieces=_pieces(json.dumps(error)))
            return
        if exchange.status is None:
            raise ConnectionCut
        is_cut = exchange.ending is Ending.CUT
        pieces = _pieces(exchange.reply, is_cut=is_cut)
        if exchange.is_events:
            pieces = split_events(pieces)
        yield Incoming(status=exchange.status, headers=exchange.headers, pieces=pieces)

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def _take(self, request: AgentRequest) -> Exchange | None:
        """Return the reply of an equal request, else of a similar one."""
        whole = _digest(request.method, request.path, request.body)
        if (
            exchange := self._find(lambda other: _digest(other.method, other.path, other.request) == whole)
        ) is None:
            shape = _shape(request.protocol, request.path, request.body)
            exchange = self._find(
                lambda other: _shape(PROTOCOLS.get(other.protocol), other.path, other.request) == shape
            )
            self.differing += exchange is not None
        if exchange is not None:
            self._remaining.remove(exchange)
        return exchange

    def _find(self, matches: Callable[[Exchange], bool]) -> Exchange | None:
        return next((exchange for exchange in self._remaining if matches(exchange)), None)


async def _pieces(reply: str, *, is_cut: bool = False) -> AsyncIterator[bytes]:
    yield reply.encode()
    if is_cut:
        raise ConnectionCut


def _digest(method: str, path: str, body: Body) -> str:
    return text_digest(json.dumps([method, path, body], sort_keys=True))


def _shape(protocol: Protocol | None, path: str, body: Body) -> tuple[Any, ...]:
    """Return what stays equal between two trials with the same replies."""
    turns = protocol.parse_turns(body) if protocol else []
    roles = tuple(turn.role for turn in turns)
    return path, body.get("model"), bool(body.get("stream")), len(body.get("tools") or ()), roles
