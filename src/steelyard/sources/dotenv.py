"""Read `.env`: environment variables in a file, one `NAME=value` a line.

Quotes, comments and `export` are understood as by a shell; nothing in a value is replaced or run.
"""

import re
from collections.abc import Mapping
from os import environ
from pathlib import Path

from steelyard.errors import InputError

ENV_FILE = Path(".env")
_LINE = re.compile(
    r"""\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*"""
    r"""(?:'(?P<single>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)"|(?P<bare>[^\s'"#](?:[^#]|(?<=\S)\#)*?)?)"""
    r"""(?:\s+\#.*)?\s*$"""  # a comment has a blank before it
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def read_env(path: Path = ENV_FILE, *, existing: Mapping[str, str] = environ) -> dict[str, str]:
    """Return the variables of a file that are not set already; no file is an empty one.

    An error names the line and never shows it, since it may hold a key.
    """
    if not path.is_file():
        return {}
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {type(error).__name__}; save it as UTF-8 text") from None
    said = [(number, line) for number, line in enumerate(lines, start=1) if line.split("#")[0].strip()]
    found = dict(_variable(line, f"{path}:{number}") for number, line in said)
    return {name: value for name, value in found.items() if name not in existing}


def _variable(line: str, where: str) -> tuple[str, str]:
    parts = _LINE.match(line)
    if parts is None:
        raise InputError(
            f"{where}: expected NAME=value; put quotes around a value that begins with a quote or a #"
        )
    if parts["double"] is not None:
        return parts["name"], re.sub(r"\\(.)", lambda mark: _ESCAPES.get(mark[1], mark[1]), parts["double"])
    return parts["name"], parts["single"] or parts["bare"] or ""
