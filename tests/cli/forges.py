"""Play GitHub's and GitLab's comments on loopback: list them in pages, add one, change one, or refuse."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from typing_extensions import override

TOKEN = "let-me-in"  # of nothing
OWN = 41  # who has the token
OTHER = {"id": 7, "type": "User"}


def words(number: int, body: str) -> dict[str, Any]:
    """Return a comment of somebody else."""
    return {"id": number, "body": body, "user": OTHER, "author": OTHER}


@dataclass(slots=True, kw_only=True)
class Forge:
    """What is on the pull request, and what was asked."""

    url: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    foreign: frozenset[int] = frozenset()  # comments that only others may change
    is_read_only: bool = False
    knows_us: bool = False  # whether it tells whose token it is; GitHub does not, for the token of a job
    answers: dict[str, bytes] = field(default_factory=dict)  # in the place of proper ones, by verb


class Handler(BaseHTTPRequestHandler):
    """Answers as the forge was told to."""

    told: Forge

    def do_GET(self) -> None:  # the library's name
        if self.path == "/user":
            self._answer(*((200, {"id": OWN}) if self.told.knows_us else (403, {"message": "not for a job"})))
            return
        query = parse_qs(urlsplit(self.path).query)
        size, page = int(query["per_page"][0]), int(query["page"][0])
        self._answer(200, self.told.comments[(page - 1) * size : page * size])

    def do_POST(self) -> None:  # as above
        body = self._body()
        if self.told.is_read_only:
            self._answer(403, {"message": "Resource not accessible by integration"})
            return
        author = {"id": OWN, "type": "Bot"}
        made = {"id": len(self.told.comments) + 1, "body": body["body"], "user": author, "author": author}
        self.told.comments.append(made)
        self._answer(201, made)

    def do_PATCH(self) -> None:  # as above
        body, number = self._body(), int(self.path.rpartition("/")[2])
        if number in self.told.foreign:
            self._answer(403, {"message": "not yours"})
            return
        (found,) = (one for one in self.told.comments if one["id"] == number)
        found["body"] = body["body"]
        self._answer(200, found)

    do_PUT = do_PATCH  # noqa: N815  # GitLab's verb

    def _body(self) -> dict[str, str]:
        read: dict[str, str] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return read

    def _answer(self, code: int, body: object) -> None:
        self.told.asked.append((self.command, urlsplit(self.path).path))
        given = (self.headers.get("Authorization"), self.headers.get("PRIVATE-TOKEN"))
        if f"Bearer {TOKEN}" not in given and TOKEN not in given:
            code, body = 401, {"message": "Bad credentials"}
        if raw := self.told.answers.get(self.command):
            self.wfile.write(raw)
            return
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    @override
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def forge(told: Forge) -> Iterator[Forge]:
    """Serve a forge while the block lasts."""

    with ThreadingHTTPServer(("127.0.0.1", 0), type("Of", (Handler,), {"told": told})) as server:
        told.url = f"http://127.0.0.1:{server.server_port}"
        serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            yield told
        finally:
            server.shutdown()
            serving.join()
