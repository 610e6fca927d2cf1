"""A small server on loopback that speaks the part of the hub's protocol by which a file is fetched."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0" * 39 + "1"


@contextmanager
def hub(files: Mapping[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """Serve files by address; give the address of the service, and a list of what was asked for."""
    asked = list[str]()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self, *, with_body: bool) -> None:
            asked.append(f"{self.command} {self.path}")
            body = files.get(self.path)
            self.send_response(200 if body is not None else 404)
            if body is None:
                self.send_header("X-Error-Code", "EntryNotFound")
            else:
                self.send_header("ETag", f'"{sha256(body).hexdigest()}"')
                self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            if with_body and body:
                self.wfile.write(body)

        def do_HEAD(self) -> None:  # the base's name
            self._answer(with_body=False)

        def do_GET(self) -> None:  # as above
            self._answer(with_body=True)

        def log_message(self, format: str, *args: object) -> None:  # type: ignore[explicit-override]  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
