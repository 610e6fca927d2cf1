"""Run SQL of a viewer's user in a locked database: it reads this run's tables and nothing else.

It reaches no other file, no network, no extension and no setting; memory and time are limited.
"""

from threading import Timer
from typing import NamedTuple

import duckdb

from steelyard.errors import InputError
from steelyard.store.database import connect, sql_text
from steelyard.store.run.files import rows_of
from steelyard.store.run.location import is_remote
from steelyard.store.run.run_store import RunStore

MEMORY = "512MB"
SECONDS = 20.0
MOST_ROWS = 500
LONGEST_VALUE = 2_000  # characters
LONGEST_QUERY = 10_000


class SqlRows(NamedTuple):
    """The first rows of an answer, as text; `is_whole` unless there were more."""

    columns: list[str]
    rows: list[tuple[str | None, ...]]
    is_whole: bool


def query_locked(store: RunStore, sql: str, *, seconds: float = SECONDS) -> SqlRows:
    """Return what a SELECT finds in the views `samples` and `outcomes`, or say why it was refused."""
    if is_remote(store.location.address):
        raise InputError("SQL needs the run's files on this machine; copy the run from its bucket first")
    if len(sql) > LONGEST_QUERY:
        raise InputError(f"this SQL is longer than {LONGEST_QUERY:,} characters")
    with _locked(store) as connection:
        timer = Timer(seconds, connection.interrupt)
        timer.start()
        try:
            _require_select(connection, sql)
            found = connection.execute(sql)
            columns = [column[0] for column in found.description or ()]
            rows = found.fetchmany(MOST_ROWS + 1)
        except duckdb.InterruptException:
            raise InputError(f"this SQL took longer than {seconds:g} s and was stopped") from None
        except duckdb.Error as error:
            raise InputError(f"this SQL was refused: {str(error).partition(chr(10))[0]}") from None
        finally:
            timer.cancel()
    shown = [tuple(map(_text, row)) for row in rows[:MOST_ROWS]]
    return SqlRows(columns, shown, len(rows) <= MOST_ROWS)


def _locked(store: RunStore) -> duckdb.DuckDBPyConnection:
    """Return a database that holds two views and can read nothing else."""
    tables = {"samples": store.samples, "outcomes": store.outcomes}
    files = [file.uri for table in tables.values() for file in table.files()]
    connection = connect()
    for setting in (
        f"memory_limit = '{MEMORY}'",
        "max_temp_directory_size = '1GB'",
        "autoload_known_extensions = false",
        f"allowed_paths = [{', '.join(map(sql_text, files))}]",
        "enable_external_access = false",
    ):
        connection.execute(f"SET {setting}")
    for name, table in tables.items():
        connection.execute(f"CREATE TEMP VIEW {name} AS {rows_of(table)}")
    connection.execute("SET lock_configuration = true")
    return connection


def _require_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise InputError("expected one SELECT: this box reads, and changes nothing")


def _text(value: object) -> str | None:
    if value is None:
        return None
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text):,} characters)"
