"""Start the viewer on a free port, and ask it for pages as a browser would: over a real socket."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from steelyard.app.view.viewer import Viewer, open_viewer
from steelyard.web.guard import ViewerAccess
from steelyard.web.server import listening, server

ANSWER_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(slots=True)
class Site:
    """A running viewer, and the cookie of a browser that was let in."""

    access: ViewerAccess
    viewer: Viewer
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """What a page of the viewer says its origin is."""
        return f"http://127.0.0.1:{self.access.port}"

    def cookie(self) -> dict[str, str]:
        """Return the header that lets a request in."""
        return {"Cookie": f"{self.access.cookie_name}={self.access.cookie}"}

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: str | None = None,
        headers: dict[str, str | None] | None = None,
    ) -> Answer:
        """Ask for a page, let in by default; a header that is None is left out."""
        wanted = {"Host": f"127.0.0.1:{self.access.port}", **self.cookie(), **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.access.port, timeout=ANSWER_SECONDS)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in wanted.items():
                if value is not None:
                    connection.putheader(name, value)
            content = None if body is None else body.encode()
            if content is not None:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            found = connection.getresponse()
            text = found.read().decode("utf-8")
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, text)
        finally:
            connection.close()

    def page(self, path: str) -> str:
        """Return a page that must be there."""
        found = self.ask(path)
        assert found.status == 200, (path, found.status, found.text[:2000])
        return found.text

    def post(self, path: str, body: str) -> Answer:
        """Send a form as a page of the viewer does."""
        headers: dict[str, str | None] = {
            "Origin": self.origin,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.ask(path, method="POST", body=body, headers=headers)

    def run_id(self, name: str) -> str:
        """Return the name of a run in links."""
        return next(line.id for line in self.viewer.lines() if line.name == name)


@contextmanager
def site(*addresses: Path | str, host: str = "127.0.0.1", is_framed: bool = False) -> Iterator[Site]:
    """Serve runs for the time of a test."""
    viewer = open_viewer(addresses[0], addresses[1:])
    listener: socket.socket = listening(host, 0)
    access = ViewerAccess(host=host, port=listener.getsockname()[1], is_framed=is_framed)
    running = server(viewer, access)
    thread = Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield Site(access, viewer)
    finally:
        running.should_exit = True
        thread.join(ANSWER_SECONDS)
        listener.close()
        viewer.close()
