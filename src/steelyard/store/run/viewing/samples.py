"""Read one sample whole: its answer, its outcome, and its neighbours among the attempts."""

import duckdb

from steelyard.model.viewing import CaseRow
from steelyard.store.run.files import engine, rows_of
from steelyard.store.run.run_store import RunStore

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
EQUAL_LISTED = 50


def stored_sample(store: RunStore, row: CaseRow, attempt: int) -> dict[str, object] | None:
    """Return everything that is stored of one sample by the names of its columns; None if there is none."""
    holding = {"model": row.model, "tier": row.tier, "suite": row.suite, "case_id": row.case}
    with engine(store.location.address) as connection:
        for name, table in (("samples", store.samples), ("outcomes", store.outcomes)):
            connection.execute(f"CREATE TEMP VIEW {name} AS {rows_of(table, holding)}")
        answer = _row(connection, "samples", (*_ANSWER, *_BOTH), row.key, attempt)
        checked = _row(connection, "outcomes", (*_CHECKED, *_BOTH), row.key, attempt)
        attempts = _attempts(connection, row.key)
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
    }


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
