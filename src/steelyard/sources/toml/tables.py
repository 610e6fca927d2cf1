"""Read a TOML file into records, and collect every problem in it with its line.

What such a file may hold is a `TomlForm`; `read_tables` is the one reader of all of them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from steelyard.sources.records import record_adapter
from steelyard.sources.toml.file import dates_in, editor_schema, read_toml
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.plain import inline_list
from steelyard.sources.toml.problems import Problem, describe_error, line_of, short_value

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlForm(Generic[Shape]):
    """What a kind of TOML file may hold.

    `shape` is the record of a whole file and has a default for every field; `tables` gives the record of
    each table. Only the tables in `dated` have keys that take a date. A list at a path in `in_files` may lie
    in a JSON file.
    """

    title: str
    shape: type[Shape]
    tables: Mapping[tuple[str, ...], type]
    dated: frozenset[str] = frozenset()
    in_files: tuple[tuple[str, ...], ...] = ()

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of such a file, for editors."""
        return editor_schema(record_adapter(self.shape), self.shape, self.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlTables(Generic[Shape]):
    """One file: its records, the line of each key, and the problems.

    `is_whole` is False if a table had to be left out of `holds`; `kept` then lists the tables that are in it.
    """

    path: Path
    holds: Shape
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    is_whole: bool = True
    kept: Mapping[str, list[int]] = field(default_factory=dict)

    def problem(self, at: KeyPath, message: str) -> Problem:
        """Return a problem with the value at a key of `holds`."""
        match at:
            case (str(name), int(index), *rest) if name in self.kept:
                at = (name, self.kept[name][index], *rest)
        return Problem(file=self.path, line=line_of(self.lines, at), message=message)


def read_tables(path: Path, form: TomlForm[Shape]) -> TomlTables[Shape]:
    """Read a file. If it cannot be read, its problems say why."""
    toml = read_toml(path)
    read = TomlTables(path=path, holds=form.shape(), lines=toml.lines, problems=toml.problems)
    return read if toml.problems else _validate(read, toml.tables, form)


def _validate(
    read: TomlTables[Shape], parsed: Mapping[str, object], form: TomlForm[Shape]
) -> TomlTables[Shape]:
    result = tuple(read.problem(at, message) for at, message in _misplaced_dates(parsed, form.dated))
    folder = read.path.parent
    missing = [item for path in form.in_files for item in inline_list(parsed, path, folder)]
    result += tuple(read.problem(at, message) for at, message in missing)
    try:
        return replace(read, holds=_to_record(parsed, form.shape, folder), problems=result)
    except ValidationError as error:
        details = error.errors(include_url=False)
    wrong = [read.problem(detail["loc"], describe_error(detail, form.tables)) for detail in details]
    kept, good = _without(parsed, {detail["loc"][:2] for detail in details})
    return replace(
        read,
        holds=_to_record(good, form.shape, folder),
        problems=(*result, *wrong),
        is_whole=False,
        kept=kept,
    )


def _misplaced_dates(parsed: Mapping[str, object], dated: frozenset[str]) -> Iterator[tuple[KeyPath, str]]:
    for at, value in dates_in(parsed, ()):
        if at[0] not in dated:
            yield at, f"found the date {short_value(value)}; put it in quotes"


def _to_record(parsed: Mapping[str, object], shape: type[Shape], folder: Path) -> Shape:
    # Through JSON, because strict validation of Python values would accept neither lists nor tables.
    text = json.dumps(parsed, default=str)
    return record_adapter(shape).validate_json(text, context={"folder": folder}) or shape()


def _without(
    parsed: Mapping[str, object], wrong: set[KeyPath]
) -> tuple[dict[str, list[int]], dict[str, object]]:
    """Leave out the tables that are wrong, so the others can still be checked."""
    names = {path[0] for path in wrong if len(path) == 1 or isinstance(path[1], str)}
    good = {name: value for name, value in parsed.items() if name not in names}
    lists = {name: value for name, value in good.items() if isinstance(value, list)}
    kept = {
        name: [index for index in range(len(value)) if (name, index) not in wrong]
        for name, value in lists.items()
    }
    return kept, {**good, **{name: [lists[name][index] for index in kept[name]] for name in lists}}
