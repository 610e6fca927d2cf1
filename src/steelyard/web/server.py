"""Serve the viewer until the user ends it."""

import socket
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread

import uvicorn

from steelyard.app.view.viewer import Viewer
from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.web.application import application
from steelyard.web.guard import LOOPBACK, ViewerAccess
from steelyard.web.login_file import login_file

__all__ = ["LOOPBACK", "serve", "server"]

BACKLOG = 128


def serve(  # noqa: PLR0913  # what to show, and where
    viewer: Viewer,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    is_framed: bool = False,
    announce: Callable[[str], None],
    open_browser: bool = False,
) -> None:
    """Answer requests until the process is interrupted; `announce` gets the link that lets a browser in."""
    with ExitStack() as left, listening(host, port) as listener:
        access = ViewerAccess(host=host, port=listener.getsockname()[1], is_framed=is_framed)
        announce(access.url)  # also where a browser is started: some cannot read the file that leads in
        warm_up(viewer)
        if open_browser:
            page = left.enter_context(login_file(access.url))
            Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()
        try:
            server(viewer, access).run(sockets=[listener])
        finally:
            viewer.close()


def server(viewer: Viewer, access: ViewerAccess) -> uvicorn.Server:
    """Return a server; it keeps no log of requests, since the first one holds the token."""
    return uvicorn.Server(
        uvicorn.Config(
            application(viewer, access),
            access_log=False,
            log_level="critical",  # a page that is open at the end is no error; our own are printed
            lifespan="off",
            ws="none",
            http="h11",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address, or say why it cannot."""
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
        )
    except OSError as error:
        raise InfrastructureError(f"{host}:{port}: cannot listen here: {error.strerror or error}") from error


def warm_up(viewer: Viewer) -> None:
    """Count the cases of a single run while the browser starts."""

    def count() -> None:
        try:
            if viewer.single is not None:
                viewer.single.choices()
        except SteelyardError:
            return  # the page says it

    Thread(target=count, daemon=True).start()
