"""Write a run's rows to one file that any tool reads: Parquet, CSV or JSONL, sorted by case and attempt.

The columns are those of the table that hold anything, in its order and its integer units. In CSV and TSV a
text that a spreadsheet would take for a formula has a ' before it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import duckdb

from steelyard.errors import InputError, StoreError, UserError
from steelyard.store.database import connect, sql_text
from steelyard.store.files import COMPRESSED, SUFFIXES, FileFormat
from steelyard.store.run.columns import COLUMNS, OUTCOMES, SAMPLES, ColumnType, StoredColumn
from steelyard.store.run.compaction import ORDER
from steelyard.store.run.files import reading
from steelyard.store.run.regrade.staged import CaseForm, create_wanted
from steelyard.store.run.run_store import RunStore, open_run, retry_on_conflict
from steelyard.store.run.table import StoreTable
from steelyard.store.run.viewing.marks import MARK_COLUMNS, MARKS, mark_row, read_marks

# Imported outcomes without a classification are exported without one.
KIND = "classification"
AS_SAID = f"CASE WHEN {KIND} NOT IN ('pass', 'fail') THEN {KIND} END AS {KIND}"
# The current form of a case, or the form that was sent if its prompt has changed since.
NOW = "coalesce((SELECT any_value({now}) FROM wanted WHERE wanted.case_key = rows.case_key), {was}) AS {was}"
AS_NOW = {
    "case_key": NOW.format(now="now_key", was="case_key"),
    "case_digest": NOW.format(now="now_digest", was="case_digest"),
}
# Sorted by the stored values, even if the exported ones are escaped.
_ORDER = ", ".join(f"rows.{name.strip()}" for name in ORDER.split(","))
_COPY_OPTIONS = {
    FileFormat.PARQUET: "FORMAT parquet, COMPRESSION zstd",
    FileFormat.CSV: "FORMAT csv, HEADER",
    FileFormat.TSV: "FORMAT csv, HEADER, DELIMITER '\t'",
    FileFormat.JSONL: "FORMAT json",
}


def export_run(
    run: str | Path,
    path: str | Path,
    *,
    table: str = OUTCOMES,
    forms: Sequence[CaseForm] | None = None,
    threads: int | None = None,
) -> int:
    """Write one of a run's tables to a file, whole or not at all, and return how many rows it has.

    Of the outcomes those that count: without earlier forms of a case that changed, and without honeypots.
    With `forms`, samples have the digests that their cases have now, and earlier forms are left out too.
    What does not fit into memory while the rows are sorted is kept on disk meanwhile.
    """
    goal = Path(path)
    options = copy_options(goal)
    cell = _no_formula if options.startswith("FORMAT csv") else _as_it_is
    if table == MARKS:
        return _write_marks(run, goal, options, cell)
    if table not in COLUMNS:
        raise UserError(f"`table={table}`: a run has the tables {SAMPLES}, {OUTCOMES} and {MARKS}")

    def write(store: RunStore) -> int:
        chosen = store.samples if table == SAMPLES else store.outcomes
        with reading(chosen, threads=threads) as connection:
            own = {} if store.manifest.names_refusals else {KIND: AS_SAID}
            counted = "true" if table == SAMPLES else f"{store.counting_sql()} AND NOT {store.honeypot_sql()}"
            if forms is not None:
                create_wanted(connection, store, forms)
                own, counted = {**own, **AS_NOW}, store.counting_sql()
            cells = ", ".join(own.get(column.name) or cell(column) for column in _columns_with_values(chosen))
            rows = f"SELECT {cells} FROM rows WHERE {counted} ORDER BY {_ORDER}"
            return _write(connection, goal, rows, options)

    return retry_on_conflict(open_run(run), write)


def _write_marks(run: str | Path, path: Path, options: str, cell: Callable[[StoredColumn], str]) -> int:
    """Write the marks in order of creation, with their samples' keys."""
    store = open_run(run)
    missing = (
        store.superseded_keys()
    )  # marks on answers that moved to a new form of their case are there twice
    rows = [mark_row(mark) for mark in read_marks(store.location.address) if mark.key not in missing]
    with connect() as connection:
        declared = ", ".join(f"{column.name} {column.type}" for column in MARK_COLUMNS)
        connection.execute(f"CREATE TEMP TABLE marks ({declared})")
        if rows:
            places = ", ".join("?" for _ in MARK_COLUMNS)
            connection.executemany(f"INSERT INTO marks VALUES ({places})", rows)
        cells = ", ".join(map(cell, MARK_COLUMNS))
        return _write(connection, path, f"SELECT {cells} FROM marks ORDER BY rowid", options)


def _columns_with_values(table: StoreTable) -> list[StoredColumn]:
    """List the columns with values; a missing cost is unknown, not zero."""
    rows, counts = sum(file.rows for file in table.files()), table.counts()
    empty = {name for name, count in counts.items() if count.nulls == rows}
    return [column for column in table.columns if column.is_required or column.name not in empty]


def _as_it_is(column: StoredColumn) -> str:
    return column.name


def _no_formula(column: StoredColumn) -> str:
    """Return the expression for a cell that no spreadsheet runs."""
    if column.type is not ColumnType.TEXT:
        return column.name
    begins = f"left({column.name}, 1) IN ('=', '+', '-', '@', chr(9), chr(13))"
    return f"CASE WHEN {begins} THEN chr(39) || {column.name} ELSE {column.name} END AS {column.name}"


def _write(connection: duckdb.DuckDBPyConnection, path: Path, rows: str, options: str) -> int:
    draft = path.with_name(f".{uuid4().hex}.{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch()
        count = _copy(connection, draft, rows, options)
        draft.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):
            draft.unlink()
    return count


def _suffixes() -> list[str]:
    return [suffix for suffix, form in SUFFIXES.items() if form in _COPY_OPTIONS]


def copy_options(path: Path) -> str:
    """Return how the engine is to write a file, by the suffix of its name.

    >>> copy_options(Path("out.csv.gz"))
    'FORMAT csv, HEADER, COMPRESSION gzip'
    """
    plain = path.with_suffix("") if path.suffix.lower() == COMPRESSED else path
    form = SUFFIXES.get(plain.suffix.lower())
    if form not in _COPY_OPTIONS or (form is FileFormat.PARQUET and plain != path):
        raise UserError(
            f"{path}: unknown suffix; use one of {', '.join(_suffixes())}, "
            f"all but Parquet also with {COMPRESSED}"
        )
    return _COPY_OPTIONS[form] + (", COMPRESSION gzip" if plain != path else "")


def _copy(connection: duckdb.DuckDBPyConnection, path: Path, rows: str, options: str) -> int:
    try:
        # The path is a draft already; DuckDB 1.4 would leave its own behind on a full disk.
        ((count,),) = connection.execute(
            f"COPY ({rows}) TO {sql_text(str(path))} ({options}, USE_TMP_FILE false)"
        ).fetchall()
    except duckdb.IOException as error:
        if path.name not in str(error):
            raise
        raise StoreError(f"{path.parent}: cannot be written: {error}") from error
    return int(count)
