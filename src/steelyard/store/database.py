"""Open DuckDB the way Steelyard uses it and run the SQL files.

The engine only computes: in memory, offline, and it stores nothing.
"""

import itertools
import os
from importlib.resources import files

import duckdb

from steelyard.errors import UserError
from steelyard.store.spill import spill_folder

SQL_FILES = files("steelyard.store") / "sql"
_numbers = itertools.count()


def connect(*, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """Open an empty in-memory database that fetches nothing from outside."""
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        # One per database, which creates it on spilling and removes it on closing.
        "temp_directory": f"{spill_folder(os.getpid())}/{next(_numbers)}",
    }
    if threads is not None:
        if threads < 1:
            raise UserError(f"`threads={threads}`: expected at least 1")
        config["threads"] = threads
    connection = duckdb.connect(":memory:", config=config)
    # In a notebook and under `python -c` it would print a progress bar to standard output.
    connection.execute("SET enable_progress_bar = false")
    return connection


def sql_text(text: str) -> str:
    """Return an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def load_sql(name: str, *, measured: frozenset[str] = frozenset()) -> str:
    """Return the text of an SQL file, with counts of absent columns set to 0.

    A line that ends in `-- needs COLUMN` counts something that only some inputs have. Where the column
    is absent the line becomes a constant, since counting nothing over 10^8 rows still takes time.
    """
    text = (SQL_FILES / f"{name}.sql").read_text(encoding="utf-8")
    return "\n".join(_line(line, measured) for line in text.splitlines())


def _line(line: str, measured: frozenset[str]) -> str:
    code, marker, needed = line.partition("-- needs ")
    if not marker or needed.strip() in measured:
        return line
    name = code.rpartition(" AS ")[2]
    return f"    0 AS {name}"
