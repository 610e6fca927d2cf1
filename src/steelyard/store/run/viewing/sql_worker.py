"""Run one SELECT in a process of its own, which the system ends at its limits of time and memory.

The task comes as JSON on standard input; the answer goes to standard output, one JSON value a line.
"""

import json
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import duckdb

from steelyard.errors import InputError
from steelyard.store.database import connect, sql_text

MEMORY = "512MB"
MOST_ADDRESSES = 2**30  # bytes beyond what the process begins with; the engine's own limit misses texts
MOST_THREADS = 4  # each takes addresses of its own
MOST_ROWS = 500
MOST_TEXT = 2**24  # characters of an answer
LONGEST_VALUE = 2_000  # characters


class SqlTask(NamedTuple):
    """What to run, the views that it may read, and the files that these read."""

    sql: str
    views: Mapping[str, str]
    files: Sequence[str]
    seconds: float


def main() -> None:
    """Run the task of standard input."""
    # At a terminal, Ctrl-C reaches this process too; the engine would ignore it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task = SqlTask(*json.load(sys.stdin))
    try:
        with _locked(task) as connection:
            _limit(task.seconds)
            _answer(connection, task.sql)
    except InputError as error:
        _tell({"refused": str(error)})
    except duckdb.Error as error:
        _tell({"refused": f"this SQL was refused: {str(error).partition(chr(10))[0]}"})
    except MemoryError:
        _tell({"refused": "this SQL was refused: it needs too much memory"})


def _locked(task: SqlTask) -> duckdb.DuckDBPyConnection:
    """Return a database that holds two views and can read nothing else."""
    connection = connect(threads=MOST_THREADS)
    for setting in (
        f"memory_limit = '{MEMORY}'",
        "max_temp_directory_size = '1GB'",
        "autoload_known_extensions = false",
        f"allowed_paths = [{', '.join(map(sql_text, task.files))}]",
        "enable_external_access = false",
    ):
        connection.execute(f"SET {setting}")
    for name, rows in task.views.items():
        connection.execute(f"CREATE TEMP VIEW {name} AS {rows}")
    connection.execute("SET lock_configuration = true")
    return connection


def _limit(seconds: float) -> None:
    """Let the system end this process when the time is over, and refuse it memory beyond the limit."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    with suppress(ValueError, OSError):  # a system that has no such limit
        most = _addresses() + MOST_ADDRESSES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _addresses() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  # no file of a user's
        return int(file.read().split()[0]) * resource.getpagesize()


def _answer(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Write the names of the columns, then the rows, then whether these are all."""
    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise InputError("expected one SELECT: this box reads, and changes nothing")
    query = _without_end(statements[0].query)
    # Converted to text and cut by the engine: Python cannot represent some values, such as long intervals.
    cursor = connection.execute(
        f"SELECT left(CAST(COLUMNS(*) AS VARCHAR), {LONGEST_VALUE + 1}) "
        f"FROM (\n{query}\n) LIMIT {MOST_ROWS + 1}"
    )
    _tell({"columns": [column[0] for column in cursor.description or ()]})
    length = 0
    for _ in range(MOST_ROWS):
        row = cursor.fetchone()
        length += sum(len(value or "") for value in row or ())
        if row is None or length > MOST_TEXT:
            break
        _tell([_cut(value) for value in row])
    _tell({"is_whole": length <= MOST_TEXT and cursor.fetchone() is None})


def _without_end(query: str) -> str:
    r"""Split a statement at its semicolon, and return it with the text behind it.

    >>> _without_end("SELECT 'é;' -- all; of it\n;; -- done")
    "SELECT 'é;' -- all; of it\n"
    """
    text = query.encode()
    tokens = duckdb.tokenize(query)  # with their places among the bytes
    ends = (token for token, kind in tokens if kind == duckdb.token_type.operator and text[token] == ord(";"))
    return text[: next(ends, len(text))].decode()


def _cut(value: str | None) -> str | None:
    return value if value is None or len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"


def _tell(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


if __name__ == "__main__":
    main()
