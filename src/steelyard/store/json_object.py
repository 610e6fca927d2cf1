"""Suggest a `jq` command that converts a JSON object to rows."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from steelyard.store.fields import FLAGS
from steelyard.store.files import COMPRESSED, open_bytes
from steelyard.unpacking import is_parsable

LARGEST = 32 * 2**20  # bytes of a file that is looked at


def rows_of_object(path: Path) -> str:
    """Return the `jq` command that converts an object to rows, or describe its keys."""
    document = _document(path)
    if not isinstance(document, dict) or not document:
        return "is not a JSON list of objects"
    program = next(_programs(".", document, depth=2), None)
    if program is None:
        return (
            f"is one JSON object, with the keys {', '.join(map(repr, list(document)[:10]))}; expected a list"
        )
    cat = "zcat" if path.suffix.lower() == COMPRESSED else "cat"
    file = shlex.quote(str(path))
    return (
        f"is one JSON object and not a list of rows. Make rows of it:\n"
        f"{cat} {file} | jq -c {shlex.quote(program)} > outcomes.jsonl"
    )


def _document(path: Path) -> object:
    try:
        if path.stat().st_size > LARGEST:
            return None
        with open_bytes(path) as file:
            data = file.read(LARGEST)
        return json.loads(data) if is_parsable(data) else None
    except (OSError, EOFError, ValueError, RecursionError):
        return None


def _programs(location: str, contents: object, *, depth: int) -> Iterator[str]:
    """Yield a jq program for each part that could be rows, outer parts first."""
    if isinstance(contents, list) and contents and all(isinstance(item, dict) for item in contents):
        yield f"{location}[]"
    if not isinstance(contents, dict) or not contents:
        return
    values = list(contents.values())
    if all(map(_is_flag, values)):
        yield f"{location} | to_entries[] | {{case: .key, passed: .value}}"
    elif all(isinstance(item, list) and item and all(map(_is_flag, item)) for item in values):
        yield f"{location} | to_entries[] | .key as $case | .value[] | {{case: $case, passed: .}}"
    elif all(
        isinstance(item, list) and item and all(isinstance(row, dict) for row in item) for item in values
    ):
        yield f"{location} | to_entries[] | .key as $case | .value[] | {{case: $case}} + ."
    elif len(values) > 1 and all(isinstance(item, dict) for item in values):
        yield f"{location} | to_entries[] | {{case: .key}} + .value"
    if depth:
        for key, inner in contents.items():
            step = f".{key}" if key.isidentifier() else f"[{json.dumps(key)}]"
            start = "" if location == "." and step.startswith(".") else location
            yield from _programs(f"{start}{step}", inner, depth=depth - 1)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool | int | str) and str(value).strip().lower() in FLAGS
