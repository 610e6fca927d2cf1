"""`steelyard view`: browse runs in the browser."""

import os
import signal
import stat
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.screen import note, show
from steelyard.errors import UserError, install_extra


def view(
    address: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            help="Runs, or folders or buckets of runs; optionally a gate's JSON first. Default: runs.",
        ),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on; other machines can connect unless it is loopback.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free port.")] = 0,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write static pages to a new or empty folder and exit."),
    ] = None,
    samples: Annotated[int, typer.Option(min=0, help="With --export: failed samples per run.")] = 200,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not start the browser.")] = False,
    notebook: Annotated[
        bool, typer.Option("--notebook", help="Allow a notebook on this machine to embed the pages.")
    ] = False,
) -> None:
    first, *further = address or ["runs"]
    viewer = steelyard.open_viewer(first, further)
    try:
        from steelyard.web.export import export_pages  # noqa: PLC0415  # needs the extra `view`
        from steelyard.web.server import LOOPBACK, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UserError(f"the viewer needs the package {error.name!r}: {install_extra('view')}") from error
    if export is not None:
        pages = export_pages(viewer, export, samples=samples)
        show(f"{export}: pages {pages}; open {export / 'index.html'}\n")
        viewer.close()
        return
    if host not in LOOPBACK:
        note(
            f"warning: anyone who reaches {host} with the link can read these runs; traffic is not encrypted"
        )
    if not no_open:
        note("if no browser opens, use this link:")
    if notebook:
        _exit_with_stdin()
    serve(
        viewer,
        host=host,
        port=port,
        is_framed=notebook,
        announce=lambda url: show(f"{url}\n"),
        open_browser=not no_open,
    )


def _exit_with_stdin() -> None:
    """Exit when standard input, a pipe from a notebook's kernel, is closed."""
    if sys.stdin is None or not stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):
        return

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
