"""Read one sample whole: its answer, its outcome, and its neighbours among the attempts."""

import duckdb

from steelyard.model.viewing import Attempt, CaseRow
from steelyard.store.run.files import RunReader, rows_of
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.viewing.attempts import STRIP

# What both tables have; that of the answer comes first.
_BOTH = ("cost_nano_usd", "latency_us", "tokens_in", "tokens_out", "case_digest", "answer_digest")
_ANSWER = (
    *("text", "error", "egress", "finish_reason", "tokens_cached", "tokens_reasoning"),
    *("first_byte_us", "request_id"),
)
_CHECKED = (
    *("classification", "passed", "score_micro", "built", "tests_passed", "tests_failed", "tests_ignored"),
    *("no_tests", "lint_warnings", "diagnostic_errors", "check_us", "peak_memory_bytes", "is_shared"),
    *("isolation", "detail", "judgement"),
)
_TEXTS = ("detail", "judgement")
EQUAL_LISTED = 50


def stored_sample(engine: RunReader, store: RunStore, row: CaseRow, attempt: int) -> dict[str, object] | None:
    """Return everything that is stored of one sample by the names of its columns; None if there is none.

    `strip` is how the case's first attempts ended.
    """
    with engine.cursor() as connection:
        _copy_outcomes(connection, store, row, attempt)
        connection.execute(f"CREATE TEMP VIEW samples AS {rows_of(store.samples, row.holding)}")
        answer = _row(connection, "samples", (*_ANSWER, *_BOTH), row.key, attempt)
        checked = _row(connection, "outcomes", (*_CHECKED, *_BOTH), row.key, attempt)
        attempts = _attempts(connection, row.key)
        strip = _strip(connection)
    if answer is None and checked is None:
        return None
    nothing = dict.fromkeys((*_ANSWER, *_CHECKED, *_BOTH))
    known = {name: value for name, value in (answer or {}).items() if value is not None}
    found = {**nothing, **(checked or {}), **known}
    digest = found.pop("answer_digest")
    others = [number for number in attempts if number != attempt]
    equal = [number for number in others if digest is not None and attempts[number] == digest]
    return {
        **found,
        "detail": found["detail"] or "",
        "previous": max((number for number in others if number < attempt), default=None),
        "following": min((number for number in others if number > attempt), default=None),
        "equal": equal[:EQUAL_LISTED],
        "strip": strip,
    }


def _copy_outcomes(
    connection: duckdb.DuckDBPyConnection, store: RunStore, row: CaseRow, attempt: int
) -> None:
    """Copy the outcomes of a case, with the texts of one of them: many lie together, and are read once."""
    listed = ", ".join(
        f"CASE WHEN attempt = {attempt:d} THEN {name} END AS {name}" if name in _TEXTS else name
        for name in ("case_key", "attempt", *_CHECKED, *_BOTH)
    )
    connection.execute(
        f"CREATE TEMP TABLE outcomes AS SELECT {listed} "
        f"FROM ({rows_of(store.outcomes, row.holding)}) WHERE case_key = {row.key:d}"
    )


def _row(
    connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...], key: int, attempt: int
) -> dict[str, object] | None:
    sql = f"SELECT {', '.join(columns)} FROM {table} WHERE case_key = ? AND attempt = ?"
    found = connection.execute(sql, [key, attempt]).fetchone()
    return None if found is None else dict(zip(columns, found, strict=True))


def _attempts(connection: duckdb.DuckDBPyConnection, key: int) -> dict[int, str | None]:
    """Return the attempts of a case in order, each with the name of its answer."""
    sql = "SELECT attempt, answer_digest FROM {} WHERE case_key = ?"
    drawn = connection.execute(sql.format("samples"), [key]).fetchall()
    checked = connection.execute(sql.format("outcomes"), [key]).fetchall()
    return dict(sorted({**dict(drawn), **dict(checked)}.items()))


def _strip(connection: duckdb.DuckDBPyConnection) -> tuple[Attempt, ...]:
    sql = "SELECT attempt, classification FROM outcomes WHERE attempt < ? ORDER BY attempt"
    return tuple(Attempt(*found) for found in connection.execute(sql, [STRIP]).fetchall())
