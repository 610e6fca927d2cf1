"""Read the attempts of cases: strips for a page of the list, groups of equal answers for one case.

No answer is read here, only how each ended.
"""

from collections.abc import Iterable
from dataclasses import replace

from steelyard.model.viewing import AnswerGroup, Attempt, CaseRow
from steelyard.store.database import load_sql
from steelyard.store.run.files import RunReader, rows_of
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.viewing.failed_tests import failed_line

STRIP = 60  # squares of one strip
ATTEMPTS_LISTED = 50  # numbers of equal answers
DETAIL = 300  # characters of a check's output in a list


def with_strips(engine: RunReader, store: RunStore, rows: Iterable[CaseRow]) -> tuple[CaseRow, ...]:
    """Return cases with how their first attempts ended."""
    case_rows = tuple(rows)
    if not case_rows:
        return ()
    strips: dict[int, list[Attempt]] = {}
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes)}")
        result = connection.execute(
            load_sql("view_strips"),
            {**_range(case_rows), "keys": [row.key for row in case_rows], "most": STRIP},
        ).fetchall()
    for key, attempt, kind in result:
        strips.setdefault(key, []).append(Attempt(attempt, kind))
    return tuple(replace(row, strip=tuple(strips.get(row.key, ()))) for row in case_rows)


def _range(rows: tuple[CaseRow, ...]) -> dict[str, object]:
    """Return the least and greatest names of some cases: the engine passes over files beyond them."""
    return {
        "first_model": min(row.model for row in rows),
        "last_model": max(row.model for row in rows),
        "first_suite": min(row.suite for row in rows),
        "last_suite": max(row.suite for row in rows),
        "first_case": min(row.case for row in rows),
        "last_case": max(row.case for row in rows),
    }


def answer_groups(  # noqa: PLR0913  # which page of which part of what
    engine: RunReader, store: RunStore, row: CaseRow, *, start: int, size: int, failed: str = ""
) -> tuple[tuple[AnswerGroup, ...], int, int | None]:
    """Return a page of groups of equal answers, how many groups there are, and where the next page starts.

    With the name of a test that failed, only of the answers that failed it.
    """
    with engine.cursor() as connection:
        for name, table in (("samples", store.samples), ("outcomes", store.outcomes)):
            connection.execute(f"CREATE TEMP VIEW {name} AS {rows_of(table, row.holding)}")
        rows = connection.execute(
            load_sql("view_groups"),
            {
                "key": row.key,
                "start": start,
                "size": size + 1,
                "listed": ATTEMPTS_LISTED,
                "detail": DETAIL,
                "failed": failed_line(failed) if failed else None,
            },
        ).fetchall()
    groups = [_group(*columns) for _, *columns in rows[:size]]
    different = int(rows[0][0]) if rows else 0
    following = int(rows[size][1][0]) if len(rows) > size else None
    return tuple(groups), different, following


def _group(attempts: list[int], count: int, kind: str | None, *rest: object) -> AnswerGroup:
    names = (
        *("score_micro", "tests_passed", "tests_failed", "cost_nano_usd", "priced", "latency_us"),
        *("tokens_out", "detail", "error"),
    )
    facts = dict(zip(names, rest, strict=True))
    return AnswerGroup(attempts=tuple(attempts), count=count, kind=kind, **facts)  # type: ignore[arg-type]  # by the SQL
