"""Read any TOML file, and make the JSON Schema by which editors check one."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time
from errno import EFBIG, EINVAL
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from steelyard.sources.json_schema import schema_definitions
from steelyard.sources.toml.lines import KeyPath, key_lines
from steelyard.sources.toml.problems import Problem

LARGEST_BYTES = 64 * 1024 * 1024
_AT_LINE = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toml:
    """The tables of a TOML file and the line of each key, or why there are none."""

    tables: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def read_toml(path: Path) -> Toml:
    """Read any TOML file; if it cannot be read, its problems say why."""
    try:
        text = _text(path)
        tables = tomllib.loads(text)
        json.dumps(tables, default=str)  # raises RecursionError if it is nested too deeply
        return Toml(tables=tables, lines=key_lines(text))
    except tomllib.TOMLDecodeError as error:
        return _no_toml(path, str(error))
    except UnicodeDecodeError:
        return _unreadable(path, "it is not UTF-8 text; save it as UTF-8")
    except OSError as error:
        return _unreadable(path, error.strerror or str(error))
    except RecursionError:
        return _unreadable(path, "its lists or tables are nested too deeply")


def editor_schema(adapter: TypeAdapter[Any], kind: type, title: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of TOML file, for editors."""
    definitions = schema_definitions(adapter)
    for definition in definitions.values():
        for item in definition.get("properties", {}).values():
            item.pop("title", None)
            _drop_null(item)
    whole = definitions.pop(kind.__name__)
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **whole, "title": title, "$defs": definitions}


def _drop_null(item: dict[str, Any]) -> None:
    """Take out null, which TOML cannot say."""
    if "default" in item and item["default"] is None:
        del item["default"]
    choices = [choice for choice in item.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        del item["anyOf"]
        item.update(choices[0])
    elif choices:
        item["anyOf"] = choices


def _text(path: Path) -> str:
    if path.is_fifo():
        raise OSError(EINVAL, "it is a pipe; save it to a file")
    if path.stat().st_size > LARGEST_BYTES:
        raise OSError(
            EFBIG, f"it is larger than {LARGEST_BYTES >> 20} MiB; make it a folder of several files"
        )
    return path.read_bytes().decode("utf-8-sig")


def _unreadable(path: Path, why: str) -> Toml:
    return Toml(problems=(Problem(file=path, line=1, message=f"cannot be read: {why}"),))


def _no_toml(path: Path, why: str) -> Toml:
    match = _AT_LINE.search(why)
    line = int(match["line"] or _last_line(path)) if match else 1
    message = f"this is not TOML: {_AT_LINE.sub('', why)}"
    return Toml(problems=(Problem(file=path, line=line, message=message),))


def _last_line(path: Path) -> int:
    return max(1, len(path.read_bytes().splitlines()))


def dates_in(value: object, at: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    """Find dates and times, which no key of an eval set takes."""
    if isinstance(value, date | time):
        yield at, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from dates_in(inner, (*at, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from dates_in(inner, (*at, index))
