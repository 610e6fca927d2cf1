"""Serve agents on loopback or a unix socket: forward, meter and record their calls of models."""

import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from steelyard.providers.gateway.dialogue import REFUSED, Protocol, parse_object
from steelyard.providers.gateway.exchange import PROTOCOLS, Ending, Exchange, total_cost, write_line
from steelyard.providers.gateway.meter import CapReached, Meter
from steelyard.providers.gateway.passage import Passage, start_passage
from steelyard.providers.gateway.source import AgentRequest, ConnectionCut, Incoming, Source

LARGEST_REQUEST = 64 * 1024 * 1024  # bytes; images are sent inline
VERSION = "/v1"
UNMETERED = ("/models", "/messages/count_tokens")
NO_RETRY = {"x-should-retry": "false"}  # OpenAI's and Anthropic's libraries respect it
END_S = 1.0  # for calls in flight when the gateway ends
LOOPBACK = "127.0.0.1"


class AgentLeft(Exception):
    """The agent closed the connection before the end of a reply."""


class Gateway:
    """One trial's way to its model. Agents get `url` and `key`; the service's key stays here."""

    def __init__(self, source: Source, meter: Meter, *, record: Path, socket: Path | None = None) -> None:
        """Serve on `socket`, or without it on a free port of loopback."""
        self._source, self._meter = source, meter
        self._record, self._socket = record, socket
        self.key = f"steelyard-{secrets.token_hex(16)}"
        self.url = ""
        self.exchanges: list[Exchange] = []
        application = web.Application(client_max_size=LARGEST_REQUEST)
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=END_S)

    @property
    def cost_nano_usd(self) -> int | None:
        """The cost of all calls; None if one is unknown."""
        return total_cost(self.exchanges)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site: web.BaseSite
        if self._socket is not None:
            site = web.UnixSite(self._runner, self._socket)
        else:
            site = web.TCPSite(self._runner, LOOPBACK, 0)
        await site.start()
        port = "" if self._socket else f":{self._runner.addresses[0][1]}"
        self.url = f"http://{LOOPBACK}{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
        await self._source.close()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if request.method == "HEAD":
            return web.Response()
        path = request.path.removeprefix(VERSION)
        protocol = next((known for known in PROTOCOLS.values() if known.path == path), None)
        if not self._is_known(request):
            return _refuse(protocol, "this key is not the one of this trial", HTTPStatus.UNAUTHORIZED)
        if (protocol is None and path not in UNMETERED) or request.method not in {"GET", "POST"}:
            return _refuse(
                protocol,
                f"the gateway does not forward {request.method} {request.path}",
                HTTPStatus.NOT_FOUND,
            )
        content = await request.read()
        body = parse_object(content) if content else {}
        if body is None:
            return _refuse(protocol, "the request is not a JSON object", HTTPStatus.BAD_REQUEST)
        asked = AgentRequest(
            method=request.method,
            path=path,
            query=request.query_string,
            headers={name.lower(): text for name, text in request.headers.items()},
            content=content,
            body=body,
            protocol=protocol,
        )
        return await self._metered(request, asked)

    async def _metered(self, request: web.Request, asked: AgentRequest) -> web.StreamResponse:
        """Forward a call that the budget allows; record it in any case."""
        passage = start_passage(asked)
        try:
            reservation = await self._meter.admit(passage.request)
        except CapReached as reached:
            passage.ending = Ending.REFUSED
            self._keep(passage, 0, str(reached))
            return _refuse(asked.protocol, str(reached), REFUSED)
        cost = None
        try:
            return await self._forward(request, passage)
        finally:
            cost = self._meter.cost(passage.exchange())
            self._keep(passage, cost)
            await self._meter.settle(reservation, cost)

    async def _forward(self, request: web.Request, passage: Passage) -> web.StreamResponse:
        """Pass a call on, and its reply or the cut of its connection back."""
        try:
            async with self._source.open(passage.request) as incoming:
                passage.incoming = incoming
                return await _pass_back(request, passage, incoming)
        except ConnectionCut as cut:
            passage.ending, passage.is_sent = Ending.CUT, cut.is_sent
        except AgentLeft:
            passage.ending = Ending.ABANDONED
        if request.transport is not None:
            request.transport.close()
        return passage.response or web.Response(status=HTTPStatus.BAD_GATEWAY)

    def _keep(self, passage: Passage, cost: int | None, refusal: str = "") -> None:
        """Record a call."""
        exchange = replace(passage.exchange(), cost_nano_usd=cost)
        if refusal:
            exchange = replace(exchange, status=REFUSED, reply=refusal)
        self.exchanges.append(exchange)
        with self._record.open("a", encoding="utf-8") as file:
            file.write(write_line(exchange))

    def _is_known(self, request: web.Request) -> bool:
        """Whether a request has the key of this trial, in one of the two usual headers."""
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        keys = (bearer, request.headers.get("x-api-key", ""))
        return any(hmac.compare_digest(key.encode(), self.key.encode()) for key in keys)


async def _pass_back(request: web.Request, passage: Passage, incoming: Incoming) -> web.StreamResponse:
    """Return a reply to the agent, each event as it arrives."""
    if not incoming.is_events:
        async for piece in incoming.pieces:
            passage.add(piece)
        passage.ending = Ending.COMPLETE
        return web.Response(status=incoming.status, headers=incoming.headers, body=bytes(passage.reply))
    response = passage.response = web.StreamResponse(status=incoming.status, headers=incoming.headers)
    with _noticing_end():
        await response.prepare(request)
    async for event in incoming.pieces:
        passage.add(event)
        if passage.is_shown(event):
            with _noticing_end():
                await response.write(event)
    passage.ending = Ending.COMPLETE
    with _noticing_end():
        await response.write_eof()
    return response


@contextmanager
def _noticing_end() -> Iterator[None]:
    """Distinguish a connection that the agent closed from one that the service closed."""
    try:
        yield
    except ConnectionError:
        raise AgentLeft from None


def _refuse(protocol: Protocol | None, message: str, status: int) -> web.Response:
    error = protocol.encode_error(message) if protocol else {"error": {"message": message}}
    return web.json_response(error, status=status, headers=NO_RETRY)
