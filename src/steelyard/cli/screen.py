"""Write to the screen: results to the standard output, remarks to the standard error."""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, redirect_stdout, suppress
from pathlib import Path
from typing import TextIO

from steelyard.errors import InfrastructureError
from steelyard.render.names import visible

# What a GitHub runner takes for a command: `##[` anywhere in a line, and `::` at its beginning.
_ORDER = re.compile(r"##\[|^\s*::", re.MULTILINE)


def show(text: str) -> None:
    """Print text that already ends in a newline."""
    try:
        _write(text, sys.stdout)
    except OSError as error:  # such as a full disk behind a file
        raise InfrastructureError(f"the result cannot be written ({error.strerror})") from None


def _write(text: str, stream: TextIO | None) -> None:
    """Write all of a text. A reader that goes away, such as `head`, changes neither work nor exit code."""
    if stream is None:  # closed before we began, as daemons do
        return
    text = _writable(text, stream.encoding)
    try:
        stream.write(_without_orders(text) if os.environ.get("GITHUB_ACTIONS") else text)
        stream.flush()
    except OSError as error:
        close_quietly(stream)
        if not isinstance(error, BrokenPipeError):
            raise


def _without_orders(text: str) -> str:
    r"""Return a text in which GitHub's runner finds no command; agents and answers have their say in it.

    >>> _without_orders("it said: ##[set-output name=a]b\n  ::error::c\nRust's a::b\n")
    "it said: ## [set-output name=a]b\n  : :error::c\nRust's a::b\n"
    """
    return _ORDER.sub(lambda found: f"{found[0][:-1]} {found[0][-1]}", text)


def close_quietly(stream: TextIO) -> None:
    """Write no more to a stream whose reader is gone; the interpreter flushes it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _writable(text: str, encoding: str | None) -> str:
    """Spell out what the output cannot hold: a Windows pipe knows neither ≥ nor most alphabets."""
    known_as = encoding or "utf-8"
    try:
        text.encode(known_as)
    except UnicodeEncodeError:
        return text.encode(known_as, "backslashreplace").decode(known_as)
    return text


def note(text: str) -> None:
    """Write a remark that is not part of the result; names in it come from anywhere."""
    lines = (visible(line) if line else line for line in text.split("\n"))
    with suppress(OSError):  # there is nowhere left to say it
        _write("\n".join(lines) + "\n", sys.stderr)


def warn(text: str) -> None:
    """Write a warning."""
    note(f"warning: {text}")


def note_sent(sent: Mapping[str, str]) -> None:
    """Say which system took a report, and where it is there."""
    for name, place in sent.items():
        note(f"sent to {name}: {place}")


def results_only() -> AbstractContextManager[TextIO]:
    """Keep what other packages print out of the standard output, which holds the result alone."""
    return redirect_stdout(sys.stderr)


def address_here(address: str) -> str:
    """Return an address as one would type it here: without what leads to this folder."""
    path, here = Path(address), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else address
