"""Read one TOML file of an eval set, believing nothing; every problem in it is found at once."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from steelyard.sources.evalset.shape import TABLES, EvalSetFile
from steelyard.sources.records import STRICT
from steelyard.sources.toml.file import dates_in, editor_schema, read_toml
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import Problem, described, found, line_of


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


def read_file(path: Path) -> ReadFile:
    """Read a file; if it cannot be read, its problems say why."""
    toml = read_toml(path)
    read = ReadFile(path=path, lines=toml.lines, problems=toml.problems)
    return read if toml.problems else _validated(read, toml.tables)


def eval_set_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an eval-set file, for editors."""
    return editor_schema(_adapter(), EvalSetFile, "Steelyard eval set")


@cache
def _adapter() -> TypeAdapter[EvalSetFile | None]:
    return TypeAdapter(EvalSetFile | None, config=STRICT)


def _validated(read: ReadFile, parsed: Mapping[str, object]) -> ReadFile:
    dates = [
        read.problem(at, f"found the date {found(value)}; put it in quotes")
        for at, value in dates_in(parsed, ())
    ]
    try:
        return replace(read, holds=_shaped(parsed, read.path.parent), problems=tuple(dates))
    except ValidationError as error:
        details = error.errors(include_url=False)
    wrong = [read.problem(detail["loc"], described(detail, TABLES)) for detail in details]
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
