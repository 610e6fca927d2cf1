"""Say by which options a file could be read, from the names and values of its first rows.

A suggestion is never applied by itself: the user types it, and so knows what was read as what.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import duckdb

from steelyard.model.outcome import Classification
from steelyard.store.database import identifier
from steelyard.store.fields import FLAGS
from steelyard.store.reading import Table

LOOKED_AT = 200  # rows
DEEPEST = 4  # steps of a path into an object
MOST_PATHS = 500  # of a file with very many columns
# Parts of names, the likeliest first.
CASE_NAMES = (
    *("case", "task", "problem", "exercise", "question", "example", "instance", "item", "test"),
    *("prompt", "title", "name", "key", "doc", "uid", "id", "idx", "index"),
)
VERDICT_NAMES = (
    *("passed", "pass", "correct", "success", "resolved", "solved", "verdict", "outcome", "result", "status"),
    *("accuracy", "acc", "match", "ok", "grade", "valid", "score", "reward", "value"),
)
EACH_A_MODEL = " (if each of these columns is a model)"
Option = tuple[str, str]  # its name, and its value
Values = Mapping[str, Sequence[object]]


def hint(options: Sequence[Option]) -> str:
    """Put options into words.

    >>> hint([("map", "case=task id"), ("map", "passed=ok")])
    "Likely: `map='case=task id'` `map=passed=ok`"
    """
    words = [
        f"`{name}={shlex.quote(value)}`{EACH_A_MODEL if name == 'wide' else ''}" for name, value in options
    ]
    return f"Likely: {' '.join(words)}"


def likely_options(connection: duckdb.DuckDBPyConnection, table: Table) -> tuple[Option, ...]:
    """Return the options that would let a file be read; none if no column looks right."""
    values = _values(connection, table)
    options: list[Option] = []
    columns = table.columns
    taken = {f"{field.column}.{field.path}".rstrip(".") for field in table.fields}
    free = {path: value for path, value in values.items() if path not in taken}
    if "case_id" not in columns:
        name = _best(free, CASE_NAMES, only=_may_be_name)
        options.append(("map", f"case={name or 'COLUMN'}"))
        free.pop(name or "", None)
    if not columns & {"passed", "kind", "score_micro", "built"}:
        options += _verdict(free)
    return tuple(options)


def _verdict(values: Values) -> list[Option]:
    """Return the options for the column of passes."""
    if name := _best(values, VERDICT_NAMES, only=_are_flags):
        return [("map", f"passed={name}")]
    if name := _best(values, VERDICT_NAMES, only=_are_kinds):
        return [("map", f"classification={name}")]
    models = [name for name, value in values.items() if "." not in name and _are_flags(value)]
    if len(models) > 1:
        return [("wide", ",".join(models))]
    if name := _best(values, VERDICT_NAMES, only=_are_shares):
        return [("map", f"score={name}"), ("pass_score", "1")]
    return [("map", f"passed={models[0]}")] if models else []


def _values(connection: duckdb.DuckDBPyConnection, table: Table) -> Values:
    """Return the values of each column, and of each field inside an object, in the first rows."""
    cells = ", ".join(map(identifier, table.types))
    listed = f"SELECT {cells} FROM {table.scan} LIMIT {LOOKED_AT}"
    values: dict[str, list[object]] = {}
    for row in connection.execute(listed).fetchall():
        for column, value in zip(table.types, row, strict=False):
            contents = _parsed(value) if table.types[column] == "JSON" else value
            for path, leaf in _leaves(column, contents, DEEPEST):
                if path in values or len(values) < MOST_PATHS:
                    values.setdefault(path, []).append(leaf)
    return values


def _parsed(value: object) -> object:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _leaves(path: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}", inner, depth - 1)
    elif value is not None and not isinstance(value, list | dict):
        yield path, value


def _best(values: Values, names: Sequence[str], *, only: Callable[[Sequence[object]], bool]) -> str | None:
    """Return the path whose name is the likeliest of those with fitting values, the shortest first."""
    fitting = [path for path, value in values.items() if only(value)]
    ranked = [(rank, path.count("."), path) for path in fitting if (rank := _rank(path, names)) is not None]
    return min(ranked)[-1] if ranked else None


def _rank(path: str, names: Sequence[str]) -> int | None:
    """Return the place of the first name that is part of the path's last step, or else of any step."""
    lowered = path.lower()
    last = lowered.rpartition(".")[2]
    near = (index for index, name in enumerate(names) if name in last)
    far = (len(names) + index for index, name in enumerate(names) if name in lowered)
    return next(chain(near, far), None)


def _may_be_name(values: Sequence[object]) -> bool:
    return all(isinstance(value, str | int) and not isinstance(value, bool) for value in values)


def _are_flags(values: Sequence[object]) -> bool:
    return _are_among(values, FLAGS)


def _are_kinds(values: Sequence[object]) -> bool:
    return _are_among(values, frozenset(Classification))


def _are_among(values: Sequence[object], known: frozenset[str]) -> bool:
    words = {word for value in values if (word := str(value).strip().lower())}
    return bool(words) and words <= known


def _are_shares(values: Sequence[object]) -> bool:
    try:
        return all(0 <= float(str(value)) <= 1 for value in values)
    except ValueError:
        return False
