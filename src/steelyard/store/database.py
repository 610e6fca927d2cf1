"""Open DuckDB the way Steelyard uses it and run the SQL files.

The engine is a calculator here: in memory, offline, and never the place where data is kept.
"""

from importlib.resources import files
from tempfile import gettempdir

import duckdb

SQL_FILES = files("steelyard.store") / "sql"


def connect(*, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """Open an empty in-memory database that fetches nothing from outside."""
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        # Spilled data belongs in the system's place for such, not in the user's folder.
        "temp_directory": f"{gettempdir()}/steelyard-spill",
    }
    if threads is not None:
        config["threads"] = threads
    connection = duckdb.connect(":memory:", config=config)
    # In a notebook and under `python -c` it would draw a bar on standard output, amid what is printed there.
    connection.execute("SET enable_progress_bar = false")
    return connection


def quoted(text: str) -> str:
    """Return an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def question(name: str, *, measured: frozenset[str]) -> str:
    """Return the SQL file that answers a question, with what was not measured set to 0.

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
