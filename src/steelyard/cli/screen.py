"""Write results to standard output and remarks to standard error."""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, redirect_stdout, suppress
from pathlib import Path
from typing import TextIO

from steelyard.errors import InfrastructureError
from steelyard.render.names import visible

# Workflow commands of GitHub runners: `##[` anywhere in a line, `::` at its start.
_WORKFLOW_COMMAND = re.compile(r"##\[|^\s*::", re.MULTILINE)


def show(text: str) -> None:
    """Print a result that ends in a newline."""
    try:
        _write(text, sys.stdout)
    except OSError as error:  # such as a full disk behind a file
        raise InfrastructureError(f"cannot write the result to standard output ({error.strerror})") from None


def _write(text: str, stream: TextIO | None) -> None:
    """Write a text; ignore a closed pipe, as of `head`."""
    if stream is None:  # closed by the parent, as for daemons
        return
    text = _make_encodable(text, stream.encoding)
    try:
        stream.write(_defuse_workflow_commands(text) if os.environ.get("GITHUB_ACTIONS") else text)
        stream.flush()
    except OSError as error:
        close_quietly(stream)
        if not isinstance(error, BrokenPipeError):
            raise


def _defuse_workflow_commands(text: str) -> str:
    r"""Break up workflow commands of GitHub runners: answers of models may contain them.

    >>> _defuse_workflow_commands("it said: ##[set-output name=a]b\n  ::error::c\nRust's a::b\n")
    "it said: ## [set-output name=a]b\n  : :error::c\nRust's a::b\n"
    """
    return _WORKFLOW_COMMAND.sub(lambda match: f"{match[0][:-1]} {match[0][-1]}", text)


def close_quietly(stream: TextIO) -> None:
    """Redirect a broken stream to the null device: the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _make_encodable(text: str, encoding: str | None) -> str:
    """Escape characters that the stream cannot encode, such as ≥ in a Windows pipe."""
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def note(text: str) -> None:
    """Write a remark to standard error; escape control characters in it."""
    lines = (visible(line) if line else line for line in text.split("\n"))
    with suppress(OSError):  # no stream is left to report it
        _write("\n".join(lines) + "\n", sys.stderr)


def warn(text: str) -> None:
    """Write a warning to standard error."""
    note(f"warning: {text}")


def note_sent(sent: Mapping[str, str]) -> None:
    """Report the address of a report in each system."""
    for name, address in sent.items():
        note(f"sent to {name}: {address}")


def results_only() -> AbstractContextManager[TextIO]:
    """Redirect output of other packages to standard error."""
    return redirect_stdout(sys.stderr)


def address_here(address: str) -> str:
    """Shorten an address to a path relative to the current folder."""
    path, folder = Path(address), Path.cwd()
    return str(path.relative_to(folder)) if path.is_absolute() and path.is_relative_to(folder) else address
