"""Find attempts that were claimed twice, drop equal copies, and stop at contradictions.

A run of attempts 0, 1, 2 … without a gap is proved free of copies by a fingerprint that the group-by
computes on the way; only the other cases are read row by row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import duckdb

from steelyard.errors import InputError
from steelyard.model.options import Duplicates
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.store.database import load_sql
from steelyard.store.reading import FILE_COLUMN

# Numbers are compared as numbers: '1' and '01' are one attempt.
ATTEMPT = "coalesce(CAST(attempt_number AS VARCHAR), CAST(attempt AS VARCHAR))"
NAMES = ("model", "tier", "suite", "case_id")
NOT_CONTENT = frozenset({*NAMES, "attempt", "attempt_number", FILE_COLUMN})


class Attempts(NamedTuple):
    """What the group-by saw of one case's attempt numbers."""

    rows: int
    numbered: int
    lowest: int | None
    highest: int | None
    mark: int | None


def are_distinct(attempts: Attempts, mark_of_range: Callable[[int, int], int]) -> bool:
    """Return whether the attempts are provably all different: as many as lowest … highest, each one once.

    `mark` is the exclusive or of a 64-bit hash of each number. Numbers in a gapless range that repeat
    one and miss another have the mark of the range with a chance of 2^-64.
    """
    if attempts.lowest is None or attempts.highest is None or attempts.numbered != attempts.rows:
        return False
    if attempts.highest - attempts.lowest + 1 != attempts.rows:
        return False
    return attempts.mark == mark_of_range(attempts.lowest, attempts.highest)


def range_marks(connection: duckdb.DuckDBPyConnection) -> Callable[[int, int], int]:
    """Return a function that computes and caches the mark of each range of numbers."""
    known: dict[tuple[int, int], int] = {}

    def mark_of_range(lowest: int, highest: int) -> int:
        if (lowest, highest) not in known:
            sql = "SELECT bit_xor(hash(i)) FROM range(CAST($1 AS BIGINT), CAST($2 AS BIGINT)) t(i)"
            row = connection.execute(sql, [lowest, highest + 1]).fetchone()
            known[lowest, highest] = row[0] if row else 0
        return known[lowest, highest]

    return mark_of_range


def without_duplicates(
    connection: duckdb.DuckDBPyConnection,
    rows: str,
    *,
    columns: frozenset[str],
    suspects: Iterable[CaseKey],
    policy: Duplicates,
) -> tuple[str, Mapping[SubjectKey, int]]:
    """Return SQL with one row per attempt, and the number of dropped rows."""
    _create_identified(connection, rows, columns, list(suspects))
    repeated = connection.execute(load_sql("duplicates")).fetchall()
    if policy is Duplicates.ERROR:
        for *key, attempt, _, variants in repeated:
            if variants > 1:
                raise _conflict(connection, CaseKey(*key), str(attempt))
    dropped: Counter[SubjectKey] = Counter()
    for model, tier, _, _, _, copies, _ in repeated:
        dropped[SubjectKey(model, tier)] += copies - 1
    if not dropped:
        return rows, {}
    return _one_for_each_attempt(rows, policy), dict(dropped)


def _create_identified(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: frozenset[str], suspects: list[CaseKey]
) -> None:
    listed = ", ".join(f"unnest(CAST(? AS VARCHAR[])) AS {name}" for name in NAMES)
    keys = [list(column) for column in zip(*suspects, strict=True)]
    connection.execute(f"CREATE OR REPLACE TEMP TABLE suspects AS SELECT {listed}", keys)
    content = ", ".join(sorted(columns - NOT_CONTENT)) or "NULL"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW numbered AS {_with_row_numbers(rows)}")
    connection.execute(
        f"CREATE OR REPLACE TEMP VIEW identified AS "
        f"SELECT model, tier, suite, case_id, {ATTEMPT} AS attempt, hash({content}) AS content, "
        f"{FILE_COLUMN} AS file, place FROM numbered SEMI JOIN suspects USING ({', '.join(NAMES)})"
    )


def _with_row_numbers(rows: str) -> str:
    return f"SELECT *, row_number() OVER () AS place FROM ({rows})"


def _one_for_each_attempt(rows: str, policy: Duplicates) -> str:
    order = "DESC" if policy is Duplicates.LAST else "ASC"
    return (
        f"SELECT * EXCLUDE (place) FROM ({_with_row_numbers(rows)}) "
        f"QUALIFY row_number() OVER (PARTITION BY model, tier, suite, case_id, {ATTEMPT} "
        f"ORDER BY place {order}) = 1"
    )


def _conflict(connection: duckdb.DuckDBPyConnection, key: CaseKey, attempt: str) -> InputError:
    values = {**key._asdict(), "case_id": key.case, "attempt": attempt}
    del values["case"]
    places = connection.execute(load_sql("conflict"), values).fetchall()
    rows = " and ".join(f"{file}, row {row}" for file, row in places)
    return InputError(
        f"{rows}: both claim attempt {attempt} of case {key.case!r} by {key.model!r}, and they disagree.\n"
        f"Fix the files, or choose: `duplicates=first` (keep the earlier row) or `duplicates=last`."
    )
