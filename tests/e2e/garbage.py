"""Replies that no service should send: every status, encoding, length and body, each with each."""

import gzip
import json
import re
import socketserver
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from typing import NamedTuple

from typing_extensions import override

GOOD = {
    "id": "r1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "yes"}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
BOMB = 64 * 1024 * 1024  # bytes, more than is read of a body


def said(content: object, **more: object) -> bytes:
    """Return a body in form that says something odd."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    return json.dumps({**GOOD, "choices": [choice], **more}).encode()


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"<html>\xff\xfe</html>",
    "half of JSON": json.dumps(GOOD).encode()[:60],
    "NULs": b"\0" * 100,
    "another encoding": said("no").decode().encode("utf-16"),
    "lists without end": b"[" * 100_000,
    "a list": b"[1, 2]",
    "null": b"null",
    "no choices": b'{"choices": []}',
    "choices of null": b'{"choices": null}',
    "a choice that is a number": b'{"choices": [7]}',
    "text that is a list": said([1, 2]),
    "text that is a number": said(7),
    "a lone surrogate": said("\ud83d"),
    "a NUL in the text": said("a\0b"),
    "more tokens than there are": said("no", usage={"prompt_tokens": 10**40, "completion_tokens": 1}),
    "fewer tokens than none": said("no", usage={"prompt_tokens": -5, "completion_tokens": 1}),
    "tokens that are words": said("no", usage={"prompt_tokens": "many", "completion_tokens": []}),
    "a name with a surrogate": said("no", id="\ud800" * 50, model="\udfff"),
    "a moment out of time": said("no", created=10**30),
}
HEADS: dict[str, tuple[int, dict[str, str]]] = {
    "a good status": (200, {}),
    "a redirect": (307, {"Location": "http://127.0.0.1:9/elsewhere"}),
    "a redirect to itself": (302, {"Location": "/v1/chat/completions"}),
    "not modified": (304, {}),
    "a status of its own": (299, {}),
    "a teapot": (418, {}),
    "a bad request": (400, {}),
    "an error with an odd wait": (503, {"Retry-After": "-1e999", "X-Request-Id": "\x7f" * 50}),
    "gzip that is none": (200, {"Content-Encoding": "gzip"}),
    "an encoding that is none": (200, {"Content-Encoding": "zork", "Content-Type": "text/\xe9; charset=no"}),
}


class Garbage(NamedTuple):
    """One reply, as it goes over the wire."""

    name: str
    raw: bytes


def reply(status: int, headers: dict[str, str], body: bytes, *, length: int | None = None) -> bytes:
    """Return a reply; `length` may be a lie."""
    fields = {"Content-Type": "application/json", **headers}
    fields["Content-Length"] = str(len(body) if length is None else length)
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} X\r\n{lines}Connection: close\r\n\r\n".encode("latin-1") + body


def garbage() -> list[Garbage]:
    """Return every kind: each head with each body, and what breaks HTTP itself."""
    crossed = [
        Garbage(f"{head}, {body}", reply(status, headers, content))
        for (head, (status, headers)), (body, content) in product(HEADS.items(), BODIES.items())
    ]
    good, chunked = json.dumps(GOOD).encode(), b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n"
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(BOMB >> 20)) + packer.flush()
    broken = {
        "nothing at all": b"",
        "no HTTP": b"\xff" * 100,
        "another protocol": b"SSH-2.0-x\r\n\r\n",
        "a status that is none": b"HTTP/1.1 abc X\r\n\r\n",
        "headers without end": b"HTTP/1.1 200 X\r\n" + b"A: b\r\n" * 50_000,
        "a header without a name": b"HTTP/1.1 200 X\r\n: b\r\n\r\n",
        "a body cut off": reply(200, {}, good, length=len(good) + 999),
        "more than was announced": reply(200, {}, good, length=5),
        "a length that is none": b"HTTP/1.1 200 X\r\nContent-Length: -7\r\n\r\n" + good,
        "two lengths": b"HTTP/1.1 200 X\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n" + good,
        "a chunk that is none": chunked + b"zz\r\n",
        "a chunk too short": chunked + b"ffff\r\nabc",
        "a body without end": reply(200, {}, b" " * BOMB, length=1 << 40),
        "a bomb": reply(200, {"Content-Encoding": "gzip"}, bomb),
        "a bomb in an error": reply(500, {"Content-Encoding": "gzip"}, bomb),
        "gzip cut off": reply(200, {"Content-Encoding": "gzip"}, gzip.compress(said("no"))[:-9]),
    }
    return crossed + [Garbage(name, raw) for name, raw in broken.items()]


@contextmanager
def garbage_server(kinds: list[Garbage]) -> Iterator[str]:
    """Serve one kind to each case whose prompt names its number; a good reply to all others."""

    class Handler(socketserver.StreamRequestHandler):
        @override
        def handle(self) -> None:
            length = 0
            while (line := self.rfile.readline()) not in {b"\r\n", b""}:
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            named = re.search(rb"garbage-(\d+)", self.rfile.read(length))
            good = reply(200, {}, json.dumps(GOOD).encode())
            self.wfile.write(kinds[int(named[1])].raw if named and kinds else good)

        @override
        def finish(self) -> None:
            with suppress(OSError):  # the client has hung up
                super().finish()

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 200

        @override
        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of clients that hang up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
