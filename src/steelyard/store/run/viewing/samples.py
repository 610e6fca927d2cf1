"""Read one sample whole: its answer, its outcome, and its neighbours among the attempts."""

import duckdb

from steelyard.model.viewing import Attempt, CaseRow
from steelyard.store.run.files import RunReader, rows_of
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.table import StoreTable
from steelyard.store.run.viewing.attempts import STRIP

# Columns of both tables: read from the answer, missing values from the outcome.
_BOTH = ("cost_nano_usd", "latency_us", "tokens_in", "tokens_out", "case_digest")
_ANSWER = (
    *("text", "error", "egress", "finish_reason", "tokens_cached", "tokens_reasoning"),
    *("first_byte_us", "request_id"),
)
_CHECKED = (
    *("classification", "passed", "score_micro", "built", "tests_passed", "tests_failed", "tests_ignored"),
    *("no_tests", "lint_warnings", "diagnostic_errors", "check_us", "peak_memory_bytes", "is_shared"),
    *("integrity", "sealed_assertions", "open_assertions", "detail", "judgement"),
)
_TEXTS = ("text", "detail", "judgement")
EQUAL_LISTED = 50


def stored_sample(engine: RunReader, store: RunStore, row: CaseRow, attempt: int) -> dict[str, object] | None:
    """Return everything that is stored of one sample by the names of its columns; None if there is none.

    `strip` is how the case's first attempts ended.
    """
    sample_columns = (*_ANSWER, *_BOTH)
    with engine.cursor() as connection:
        # Copied into a table, so the files with many cases are read once.
        generated = _attempts_sql(store.samples, sample_columns, row, attempt)
        connection.execute(f"CREATE TEMP TABLE generated AS {generated}")
        answer = _row(connection, "generated", sample_columns, attempt)
        known = {name: value for name, value in (answer or {}).items() if value is not None}
        checked_columns = (*_CHECKED, *(name for name in _BOTH if name not in known))
        outcomes = _attempts_sql(store.outcomes, checked_columns, row, attempt)
        connection.execute(f"CREATE TEMP TABLE checked AS {outcomes}")
        checked = _row(connection, "checked", checked_columns, attempt)
        attempts = _attempts(connection)
        strip = _strip(connection)
        failures = _failures_beside(connection, attempt)
    if answer is None and checked is None:
        return None
    result = {**dict.fromkeys((*_ANSWER, *_CHECKED, *_BOTH)), **(checked or {}), **known}
    others = [number for number in attempts if number != attempt]
    digest = attempts[attempt]
    equal = [number for number in others if digest is not None and attempts[number] == digest]
    return {
        **result,
        "detail": result["detail"] or "",
        "previous": max((number for number in others if number < attempt), default=None),
        "following": min((number for number in others if number > attempt), default=None),
        "previous_failure": failures[0],
        "following_failure": failures[1],
        "equal": equal[:EQUAL_LISTED],
        "strip": strip,
    }


def _attempts_sql(table: StoreTable, columns: tuple[str, ...], row: CaseRow, attempt: int) -> str:
    """Return SQL for the attempts of a case, with the texts of one of them."""
    listed = ", ".join(
        f"CASE WHEN attempt = {attempt:d} THEN {column} END AS {column}" if column in _TEXTS else column
        for column in ("attempt", "answer_digest", *columns)
    )
    return f"SELECT {listed} FROM ({rows_of(table, row.holding)}) WHERE case_key = {row.key:d}"


def _row(
    connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...], attempt: int
) -> dict[str, object] | None:
    sql = f"SELECT {', '.join(columns)} FROM {table} WHERE attempt = ?"
    row = connection.execute(sql, [attempt]).fetchone()
    return None if row is None else dict(zip(columns, row, strict=True))


def _attempts(connection: duckdb.DuckDBPyConnection) -> dict[int, str | None]:
    """Return the attempts of a case in order, each with the name of its answer."""
    generated = connection.execute("SELECT attempt, answer_digest FROM generated").fetchall()
    checked = connection.execute("SELECT attempt, answer_digest FROM checked").fetchall()
    return dict(sorted({**dict(generated), **dict(checked)}.items()))


def _failures_beside(connection: duckdb.DuckDBPyConnection, attempt: int) -> tuple[int | None, int | None]:
    """Return the last failure before an attempt and the first one after it, among all attempts."""
    row = connection.execute(
        "SELECT max(attempt) FILTER (attempt < $attempt), min(attempt) FILTER (attempt > $attempt) "
        "FROM checked WHERE classification <> 'pass'",
        {"attempt": attempt},
    ).fetchone()
    return (None, None) if row is None else (row[0], row[1])


def _strip(connection: duckdb.DuckDBPyConnection) -> tuple[Attempt, ...]:
    sql = "SELECT attempt, classification FROM checked WHERE attempt < ? ORDER BY attempt"
    return tuple(Attempt(*row) for row in connection.execute(sql, [STRIP]).fetchall())
