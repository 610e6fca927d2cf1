"""Read `.env`: environment variables in a file, one `NAME=value` a line.

Quotes, comments and `export` are understood as by a shell, and so is a value in quotes that goes on over
several lines; nothing in a value is replaced or run.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from os import environ
from pathlib import Path

from steelyard.errors import InputError

ENV_FILE = Path(".env")
_LINE = re.compile(
    r"""\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*"""
    r"""(?:'(?P<single>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)"|(?P<bare>[^\s'"#](?:[^#]|(?<=\S)\#)*?)?)"""
    r"""(?:\s+\#.*)?\s*$""",  # a comment has a blank before it
    re.DOTALL,
)
# A line whose quote is still open at its end, and where such a quote is closed on a later line.
_OPENED = re.compile(r"""\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?:'[^']*|"(?:\\.|[^"\\])*\\?)$""")
_CLOSED = {"'": re.compile(r"[^']*'"), '"': re.compile(r"""(?:\\.|[^"\\])*\"""")}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}


def read_env(
    path: Path = ENV_FILE,
    *,
    existing: Mapping[str, str] = environ,
    matters: Callable[[str], bool] = lambda _: True,
) -> dict[str, str]:
    """Return the variables of a file that are not set already; no file is an empty one.

    A line that cannot be read is an error if its name matters, and passed over otherwise: the file may be
    another tool's. An error names the line and never shows it, since it may hold a key.
    """
    if not path.is_file():
        return {}
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {type(error).__name__}; save it as UTF-8 text") from None
    readable = [
        (number, statement)
        for number, statement in _statements(lines)
        if _LINE.match(statement) or matters(_name(statement))
    ]
    result = dict(_variable(text, f"{path}:{number}") for number, text in readable)
    return {name: value for name, value in result.items() if name not in existing}


def _statements(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Give each variable with the number of its first line; a quote holds its lines together."""
    numbered = iter(enumerate(lines, start=1))
    for number, line in numbered:
        if not line.split("#")[0].strip():
            continue
        text = [line]
        if _OPENED.match(line):
            closed = _CLOSED[line.split("=", 1)[1].lstrip()[0]]
            for _, following in numbered:
                text.append(following)
                if closed.match(following):
                    break
        yield number, "\n".join(text)


def _name(line: str) -> str:
    return line.partition("=")[0].strip().removeprefix("export").strip()


def _variable(line: str, where: str) -> tuple[str, str]:
    parts = _LINE.match(line)
    if parts is None:
        raise InputError(
            f"{where}: expected NAME=value; put quotes around a value that begins with a quote or a #"
        )
    if parts["double"] is not None:
        return parts["name"], re.sub(
            r"\\(.)", lambda mark: _ESCAPES.get(mark[1], mark[1]), parts["double"], flags=re.DOTALL
        )
    return parts["name"], parts["single"] or parts["bare"] or ""
