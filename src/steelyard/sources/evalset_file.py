"""Read one TOML file of an eval set, believing nothing; every problem in it is found at once."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time
from errno import EFBIG, EINVAL
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from steelyard.sources.evalset_problems import Problem, described, found, line_of
from steelyard.sources.evalset_shape import EvalSetFile
from steelyard.sources.records import STRICT
from steelyard.sources.toml_lines import KeyPath, key_lines

LARGEST_BYTES = 64 * 1024 * 1024
_AT_LINE = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """One file: what it holds, where each key stands, and what is wrong with it."""

    path: Path
    holds: EvalSetFile = field(default_factory=EvalSetFile)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    kept: Mapping[str, list[int]] = field(default_factory=dict)  # which tables of a list are in `holds`

    def problem(self, at: KeyPath, message: str) -> Problem:
        """Return a problem with what stands at a key of `holds`."""
        match at:
            case (str(name), int(place), *rest) if name in self.kept:
                at = (name, self.kept[name][place], *rest)
        return Problem(file=self.path, line=line_of(self.lines, at), message=message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toml:
    """The tables of a TOML file and where each key stands, or why there are none."""

    tables: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def read_file(path: Path) -> ReadFile:
    """Read a file; if it cannot be read, its problems say why."""
    toml = read_toml(path)
    read = ReadFile(path=path, lines=toml.lines, problems=toml.problems)
    return read if toml.problems else _validated(read, toml.tables)


def read_toml(path: Path) -> Toml:
    """Read any TOML file; if it cannot be read, its problems say why."""
    try:
        text = _text(path)
        tables = tomllib.loads(text)
        json.dumps(tables, default=str)  # what is nested too deeply to be looked at is told here
        return Toml(tables=tables, lines=key_lines(text))
    except tomllib.TOMLDecodeError as error:
        return _no_toml(path, str(error))
    except UnicodeDecodeError:
        return _unreadable(path, "it is not UTF-8 text; save it as UTF-8")
    except OSError as error:
        return _unreadable(path, error.strerror or str(error))
    except RecursionError:
        return _unreadable(path, "its lists or tables are nested too deeply")


def eval_set_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an eval-set file, for editors."""
    return editor_schema(_adapter(), EvalSetFile, "Steelyard eval set")


def editor_schema(adapter: TypeAdapter[Any], kind: type, title: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of TOML file, for editors."""
    definitions = adapter.json_schema()["$defs"]
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


@cache
def _adapter() -> TypeAdapter[EvalSetFile | None]:
    return TypeAdapter(EvalSetFile | None, config=STRICT)


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
    place = _AT_LINE.search(why)
    line = int(place["line"] or _last_line(path)) if place else 1
    message = f"this is not TOML: {_AT_LINE.sub('', why)}"
    return Toml(problems=(Problem(file=path, line=line, message=message),))


def _last_line(path: Path) -> int:
    return max(1, len(path.read_bytes().splitlines()))


def _validated(read: ReadFile, parsed: Mapping[str, object]) -> ReadFile:
    dates = [
        read.problem(at, f"found the date {found(value)}; put it in quotes")
        for at, value in dates_in(parsed, ())
    ]
    try:
        return replace(read, holds=_shaped(parsed, read.path.parent), problems=tuple(dates))
    except ValidationError as error:
        details = error.errors(include_url=False)
    wrong = [read.problem(detail["loc"], described(detail)) for detail in details]
    kept, good = _without(parsed, {detail["loc"][:2] for detail in details})
    return replace(read, holds=_shaped(good, read.path.parent), problems=tuple(dates + wrong), kept=kept)


def _shaped(parsed: Mapping[str, object], folder: Path) -> EvalSetFile:
    # By way of JSON, since strict validation of Python values would take neither lists nor tables.
    text = json.dumps(parsed, default=str)
    return _adapter().validate_json(text, context={"folder": folder}) or EvalSetFile()


def _without(
    parsed: Mapping[str, object], wrong: set[KeyPath]
) -> tuple[dict[str, list[int]], dict[str, object]]:
    """Leave out the tables that are wrong, so that the others can be looked at more closely."""
    names = {path[0] for path in wrong if len(path) == 1 or isinstance(path[1], str)}
    good = {name: value for name, value in parsed.items() if name not in names}
    lists = {name: value for name, value in good.items() if isinstance(value, list)}
    kept = {
        name: [place for place in range(len(value)) if (name, place) not in wrong]
        for name, value in lists.items()
    }
    return kept, {**good, **{name: [lists[name][place] for place in kept[name]] for name in lists}}


def dates_in(value: object, at: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    """Find dates and times, which no key of an eval set takes."""
    if isinstance(value, date | time):
        yield at, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from dates_in(inner, (*at, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from dates_in(inner, (*at, place))
