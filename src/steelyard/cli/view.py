"""`steelyard view`: pages about runs, in the browser."""

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
            help="Runs, or folders or buckets with runs in them; a gate's verdict may come first. "
            "Default: the folder runs.",
        ),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on; another than this machine's own lets others in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any free one.")] = 0,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write pages that need no server into a new or empty folder, and end."
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=0, help="With --export: how many failed samples of each run to write.")
    ] = 200,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not start the browser.")] = False,
    notebook: Annotated[
        bool, typer.Option("--notebook", help="Let a notebook on this machine show the pages in a frame.")
    ] = False,
) -> None:
    """Look at runs in the browser: every case, every answer, while the run goes on or later."""
    first, *further = address or ["runs"]
    viewer = steelyard.open_viewer(first, further)
    try:
        from steelyard.web.export import export_pages  # noqa: PLC0415  # needs the extra `view`
        from steelyard.web.server import LOOPBACK, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UserError(f"the viewer needs the package {error.name!r}: {install_extra('view')}") from error
    if export is not None:
        pages = export_pages(viewer, export, samples=samples)
        show(f"{export}: pages {pages}; begin at {export / 'index.html'}\n")
        viewer.close()
        return
    if host not in LOOPBACK:
        note(f"warning: anyone who reaches {host} and has the link can read these runs; nothing is encrypted")
    if not no_open:
        note("if the browser shows nothing, open this link:")
    if notebook:
        _end_with_standard_input()
    serve(
        viewer,
        host=host,
        port=port,
        is_framed=notebook,
        announce=lambda url: show(f"{url}\n"),
        open_browser=not no_open,
    )


def _end_with_standard_input() -> None:
    """End this process when the pipe to it is closed, as happens when a notebook's kernel dies."""
    if sys.stdin is None or not stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):
        return

    def watch() -> None:
        while sys.stdin.buffer.read(1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
