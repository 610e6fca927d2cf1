"""Say which file, row and value made the counting fail, in words a user can act on.

Runs only after something went wrong: the rows are read again, slowly, to find the first bad one.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import duckdb

from steelyard.errors import InfrastructureError, InputError, SteelyardError
from steelyard.model.state import BlankCells
from steelyard.model.units import MICRO_POINTS
from steelyard.store.fields import FieldKind
from steelyard.store.files import InputFile
from steelyard.store.mapping import FoundField, find_column
from steelyard.store.reading import FILE_COLUMN, Table
from steelyard.store.unreadable import unreadable

LONGEST_VALUE = 60  # characters of a bad value that a message shows
UNKNOWN = frozenset({"nan", "none", "null", "na", "n/a", "-", "inf", "unknown"})
EMPTY = "coalesce(CAST(value AS VARCHAR), '') = ''"
NOT_CONVERTIBLE = "TRY(value) IS NULL"
NO_SHARE = f"coalesce(TRY(value) NOT BETWEEN 0 AND {MICRO_POINTS}, true)"


class RowFault(Exception):
    """Some row breaks a rule that can only be seen after counting.

    `condition` is SQL over `value`, the column in our units, and over the other columns by our names.
    """

    def __init__(self, column: str, condition: str, expected: str) -> None:
        """Remember what to look for."""
        super().__init__(expected)
        self.column = column
        self.condition = condition
        self.expected = expected


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    file: str
    row: int
    value: str | None


def locate_fault(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], fault: RowFault
) -> InputError:
    """Find the first row that shows the fault."""
    for table in tables:
        for field in table.fields:
            if field.field.column == fault.column:
                cell = _first(connection, table, field, fault.condition)
                if cell is not None:
                    return _message(cell, field, fault.expected)
    return InputError(f"{_lacking(tables, fault.column)}: {fault.expected}")


def _lacking(tables: Sequence[Table], column: str) -> str:
    """Name a file without a column, and one that has it."""
    lacking = next((table.where for table in tables if column not in table.columns), None)
    having = next((table.where for table in tables if column in table.columns), None)
    if lacking is None or having is None:
        return column
    return f"{lacking} has no column {column!r}, and {having} has one"


def blank_cells(
    connection: duckdb.DuckDBPyConnection, tables: Iterable[Table], column: str
) -> BlankCells | None:
    """Count the empty cells of a column; None if there are none."""
    counts: dict[str, int] = {}
    for table in tables:
        for field in table.fields:
            if field.field.column == column:
                empty = EMPTY.replace("value", table.value(field))
                sql = f"SELECT count(*) FROM {table.scan} WHERE {empty}"
                counts[field.column] = counts.get(field.column, 0) + connection.execute(sql).fetchall()[0][0]
    count = sum(counts.values())
    return BlankCells(column=min(counts), count=count) if count else None


def explain_fault(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[InputFile],
    tables: Sequence[Table],
    error: duckdb.Error,
) -> SteelyardError:
    """Turn an engine error into a message about the user's file."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return InfrastructureError(f"not enough memory to count these outcomes ({_first_line(error)})")
    if isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException):
        for table in tables:
            for field in table.fields:
                cell = _first(connection, table, field, _unusable(field))
                if cell is not None:
                    hint = _count_hint(table, field, cell) or _value_hint(field, cell.value or "")
                    return _message(cell, field, f"expected {field.field.kind}{hint}")
    return InputError(unreadable(files, error))


def _count_hint(table: Table, field: FoundField, cell: _Cell) -> str:
    """Return a hint for a column of counts that was given as verdicts."""
    total = find_column("n", table.types)
    if field.field.name != "passed" or total is None or not (cell.value or "").isdigit():
        return ""
    return f".\nIf it counts samples that passed: `map=n={total.column}` `map=c={field.column}`"


def _value_hint(field: FoundField, value: str) -> str:
    """Say how to write what a value probably means."""
    if value.strip().lower() in UNKNOWN:
        return ", or an empty cell where nothing is known"
    if "," in value and field.field.kind in {FieldKind.AMOUNT, FieldKind.SHARE}:
        return ", with a point and without commas, such as 0.0094"
    return ", or yes and no, 1 and 0, pass and fail" if field.field.kind is FieldKind.FLAG else ""


def _unusable(field: FoundField) -> str:
    """Return the SQL condition for a value that cannot be counted."""
    # A share far above 1 is a valid number, but its square overflows.
    return NO_SHARE if field.field.kind is FieldKind.SHARE else NOT_CONVERTIBLE


def _first(
    connection: duckdb.DuckDBPyConnection, table: Table, field: FoundField, condition: str
) -> _Cell | None:
    text = f"CAST({table.raw(field)} AS VARCHAR)"
    words = {match.field.column: table.value(match) for match in table.fields} | {"value": table.value(field)}
    bad = re.sub(r"\w+", lambda word: words.get(word[0], word[0]), condition)
    stated = "true" if condition == EMPTY else f"nullif(trim({text}), '') IS NOT NULL"
    numbered = f"SELECT {FILE_COLUMN} AS file, row_number() OVER () AS place, * FROM {table.scan}"
    try:
        row = connection.execute(
            f"SELECT file, place, {text} FROM ({numbered}) WHERE {stated} AND {bad} ORDER BY place LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        start = connection.execute(f"SELECT min(place) FROM ({numbered}) WHERE file = ?", [row[0]]).fetchone()
    except duckdb.Error:
        return None  # the file is unreadable; the first error is clearer
    return _Cell(file=row[0], row=row[1] - start[0] + 1 if start else row[1], value=row[2])


def _message(cell: _Cell, field: FoundField, expected: str) -> InputError:
    shown = "empty" if cell.value is None else repr(_shorten(cell.value))
    return InputError(f"{cell.file}, row {cell.row}: column {field.column!r} is {shown}; {expected}")


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)} characters)"


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0].partition(": ")[2].strip().rstrip(".") or str(error)[:200]
