"""Write a run's rows to one file that any tool reads: Parquet, CSV or JSONL, sorted by case and attempt.

The columns are those of the table that hold anything, in its order and its integer units.
"""

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import duckdb

from steelyard.errors import InputError, StoreError, UserError
from steelyard.store.database import quoted
from steelyard.store.files import COMPRESSED, SUFFIXES, FileFormat
from steelyard.store.run.columns import COLUMNS, OUTCOMES, SAMPLES
from steelyard.store.run.compaction import ORDER
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import RunStore, open_run, steadily
from steelyard.store.run.table import RunTable

_COPY_OPTIONS = {
    FileFormat.PARQUET: "FORMAT parquet, COMPRESSION zstd",
    FileFormat.CSV: "FORMAT csv, HEADER",
    FileFormat.TSV: "FORMAT csv, HEADER, DELIMITER '\t'",
    FileFormat.JSONL: "FORMAT json",
}


def export_run(
    run: str | Path, path: str | Path, *, table: str = OUTCOMES, threads: int | None = None
) -> int:
    """Write one of a run's tables to a file, whole or not at all, and return how many rows it has.

    What does not fit into memory while the rows are sorted is kept on disk meanwhile.
    """
    goal = Path(path)
    options = copy_options(goal)
    if table not in COLUMNS:
        raise UserError(f"--table {table}: a run has the tables {SAMPLES} and {OUTCOMES}")

    def written(store: RunStore) -> int:
        chosen = store.samples if table == SAMPLES else store.outcomes
        with reading(chosen, threads=threads) as connection:
            return _written(connection, goal, f"SELECT {_filled(chosen)} FROM rows ORDER BY {ORDER}", options)

    return steadily(open_run(run), written)


def _filled(table: RunTable) -> str:
    """List the columns that hold something: to a report, a cost left empty is one that nobody knows."""
    rows, counts = sum(file.rows for file in table.files()), table.counts()
    empty = {name for name, count in counts.items() if count.nulls == rows}
    return ", ".join(
        column.name for column in table.columns if column.is_required or column.name not in empty
    )


def _written(connection: duckdb.DuckDBPyConnection, path: Path, rows: str, options: str) -> int:
    draft = path.with_name(f".{uuid4().hex}.{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch()
        count = _copied(connection, draft, rows, options)
        draft.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):
            draft.unlink()
    return count


def copy_options(path: Path) -> str:
    """Return how the engine is to write a file, by the suffix of its name.

    >>> copy_options(Path("out.csv.gz"))
    'FORMAT csv, HEADER, COMPRESSION gzip'
    """
    plain = path.with_suffix("") if path.suffix.lower() == COMPRESSED else path
    form = SUFFIXES.get(plain.suffix.lower())
    if form is None or (form is FileFormat.PARQUET and plain != path):
        raise UserError(
            f"{path}: the suffix tells the format; use one of {', '.join(SUFFIXES)}, "
            f"all but Parquet also with {COMPRESSED}"
        )
    return _COPY_OPTIONS[form] + (", COMPRESSION gzip" if plain != path else "")


def _copied(connection: duckdb.DuckDBPyConnection, path: Path, rows: str, options: str) -> int:
    try:
        ((count,),) = connection.execute(f"COPY ({rows}) TO {quoted(str(path))} ({options})").fetchall()
    except duckdb.IOException as error:
        if path.name not in str(error):
            raise
        raise StoreError(f"{path.parent}: cannot be written: {error}") from error
    return int(count)
