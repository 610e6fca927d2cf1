"""Show the viewer in a notebook: a child process serves the pages in a frame."""

import atexit
import subprocess
import sys
from dataclasses import dataclass
from html import escape

from steelyard.errors import InfrastructureError


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookViewer:
    """A running viewer; `url` opens it in a browser, too."""

    url: str
    height: int
    process: "subprocess.Popen[str]"

    def close(self) -> None:
        """End the viewer."""
        self.process.terminate()
        _ended(self.process)

    def _repr_html_(self) -> str:
        """Show the pages in a frame."""
        # Browsers accept the frame's cookie only if its host equals the notebook's, usually localhost.
        address = escape(self.url.replace("127.0.0.1", "localhost", 1))
        return (
            f'<iframe src="{address}" title="Steelyard" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )


def start_viewer(address: str, *, height: int) -> NotebookViewer:
    """Start the viewer of a run as a child process, and return when it listens.

    It ends when its standard input does, and so with this process, however that ends.
    """
    command = [sys.executable, "-P", "-m", "steelyard", "view", address, "--no-open", "--notebook"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)  # noqa: S603  # our own command
    url = process.stdout.readline().strip() if process.stdout is not None else ""
    if not url:
        _ended(process)
        raise InfrastructureError(f"the viewer did not start; try it by hand: steelyard view {address}")
    notebook_viewer = NotebookViewer(url=url, height=height, process=process)
    atexit.register(notebook_viewer.close)
    return notebook_viewer


def _ended(process: "subprocess.Popen[str]") -> None:
    """Wait for a viewer that ends, and close the pipes to it."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
