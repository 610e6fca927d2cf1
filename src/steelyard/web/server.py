"""Run the web server of the viewer."""

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


def serve(  # noqa: PLR0913  # options of the server
    viewer: Viewer,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    is_framed: bool = False,
    announce: Callable[[str], None],
    open_browser: bool = False,
) -> None:
    """Serve until interrupted.

    Args:
        viewer: What to show.
        host: The address to listen on.
        port: The port; 0 selects a free one.
        is_framed: Whether pages may be shown in a notebook's frame.
        announce: Called with the login link.
        open_browser: Whether to open the link in a browser.

    Raises:
        InfrastructureError: The address is not available.
    """
    with ExitStack() as cleanup, listening(host, port) as listener:
        access = ViewerAccess(host=host, port=listener.getsockname()[1], is_framed=is_framed)
        announce(access.url)  # even with open_browser: some browsers cannot read the login file
        warm_up(viewer)
        if open_browser:
            page = cleanup.enter_context(login_file(access.url))
            Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()
        try:
            server(viewer, access).run(sockets=[listener])
        finally:
            viewer.close()


def server(viewer: Viewer, access: ViewerAccess) -> uvicorn.Server:
    """Return a server without access log, since the first request contains the token."""
    return uvicorn.Server(
        uvicorn.Config(
            application(viewer, access),
            access_log=False,
            log_level="critical",  # open connections at shutdown are no errors; own errors are printed
            lifespan="off",
            ws="none",
            http="h11",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        InfrastructureError: The address is not available.
    """
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
            return  # shown by the page

    Thread(target=count, daemon=True).start()
