"""A model service on loopback that gives scripted replies in order and logs what it got."""

import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

from typing_extensions import override

PATIENCE_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """A reply: a body, or events. With `is_cut` the connection ends in the middle."""

    body: Mapping[str, Any] | None = None
    events: tuple[str, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False
    pause: Event | None = None  # after the first event


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class ScriptedHandler(BaseHTTPRequestHandler):
    """Sends the next reply of its server's script."""

    protocol_version = "HTTP/1.1"
    server: "ScriptedServer"

    @override
    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): text for name, text in self.headers.items()}
        self.server.received.append(Received(path=self.path, headers=headers, body=json.loads(content)))
        reply = self.server.replies.pop(0)
        if reply.events or reply.is_cut:
            self._stream(reply)
        else:
            self._send(reply)

    def _send(self, reply: Scripted) -> None:
        content = json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, text in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, reply: Scripted) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in reply.events:
            self._chunk(event.encode())
            if reply.pause is not None:
                assert reply.pause.wait(PATIENCE_S)
        if not reply.is_cut:
            self._chunk(b"")
            return
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        self.wfile.flush()


class ScriptedServer(ThreadingHTTPServer):
    """Holds the script."""

    def __init__(self, replies: Sequence[Scripted]) -> None:
        super().__init__(("127.0.0.1", 0), ScriptedHandler)
        self.replies, self.received = list(replies), list[Received]()


class ScriptedService:
    """Serves a script."""

    def __init__(self, *replies: Scripted) -> None:
        self._server = ScriptedServer(replies)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def received(self) -> list[Received]:
        return self._server.received

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def sse(*events: Mapping[str, Any], is_named: bool = True) -> tuple[str, ...]:
    """Encode events, with their names as Anthropic and Responses do, or as chat does."""
    if is_named:
        return tuple(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return (*(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n")
