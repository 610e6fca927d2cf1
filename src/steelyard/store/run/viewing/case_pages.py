"""Read pages and sums from the table of case states: filtered, sorted, and paged by key."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.model.units import MICROSECONDS, NANO_USD
from steelyard.model.viewing import (
    CaseFilter,
    CaseOrder,
    CasePage,
    CaseRow,
    CaseStatus,
    PageRequest,
    PartSums,
)
from steelyard.store.run.viewing.case_table import StateTable

KINDS = tuple(str(kind) for kind in FAILURES)
COLUMNS = (
    "case_key, model, tier, suite, case_id, tags, honeypot, n, c, n_error, "
    f"{', '.join(KINDS)}, cost_n, cost_sum, latency_n, latency_sum, tokens_n, tokens_out_sum"
)
NAMES = "suite, case_id, model, tier"
# The primary sort key, ascending; names break ties.
ORDERS = {
    CaseOrder.NAME: "0 * case_key",  # a bare number would name a column
    CaseOrder.RATE: "coalesce(rate, 2)",
    CaseOrder.COST: "CASE WHEN cost_n > 0 THEN -cost_sum ELSE 1 END",
    CaseOrder.TIME: "CASE WHEN latency_n > 0 THEN -latency_sum / latency_n ELSE 1 END",
}
STATUSES = {
    CaseStatus.UNSOLVED: "n > 0 AND c = 0",
    CaseStatus.SOLVED: "n > 0 AND c = n",
    CaseStatus.MIXED: "c > 0 AND c < n",
    CaseStatus.ERRORS: "n_error > 0",
    CaseStatus.WAITING: "n + n_error < planned",
}
# Lower bounds, in the units of the filter.
LEAST = {
    "cost": f"cost_n > 0 AND cost_sum / {NANO_USD} >= $cost",
    "latency": f"latency_n > 0 AND latency_sum / latency_n / {MICROSECONDS} >= $latency",
    "tokens": "tokens_n > 0 AND tokens_out_sum / tokens_n >= $tokens",
}
SUMS = """
    count(*), count(rate), coalesce(sum(n), 0), coalesce(sum(c), 0), coalesce(sum(n_error), 0),
    coalesce(sum(rate), 0), coalesce(sum(rate * rate), 0),
    coalesce(sum(cost_sum), 0), coalesce(sum(cost_n), 0),
    coalesce(sum(latency_sum), 0), coalesce(sum(latency_n), 0),
    count(DISTINCT (suite, case_id)), coalesce(sum(planned), 0)
"""


@dataclass(frozen=True, slots=True)
class _Condition:
    sql: str
    values: dict[str, object]


def case_page(table: StateTable, chosen: CaseFilter, request: PageRequest) -> CasePage:
    """Return one page of the list; its strips are still empty."""
    condition = _condition(chosen)
    sort = f"({ORDERS[request.order]})"
    with table.cursor() as cursor:
        matching, total = _sizes(cursor, condition)
        key = request.after if request.after is not None else request.before
        here = None if key is None else _place(cursor, sort, key)
        is_back = here is not None and request.after is None
        beyond = _beyond(condition, sort, here, is_back=is_back)
        rows = _rows(cursor, beyond, sort, size=request.size, is_back=is_back)
        remaining = matching if here is None else _number(cursor, beyond)
    start = remaining - len(rows) if is_back else matching - remaining
    return CasePage(
        rows=tuple(map(case_row, rows)), start=start, matching=matching, total=total, hidden=table.hidden
    )


def case_rows(table: StateTable, keys: Sequence[int]) -> dict[int, CaseRow]:
    """Return some cases by their keys; an unknown one is left out."""
    with table.cursor() as cursor:
        sql = f"SELECT {COLUMNS} FROM cases WHERE case_key IN (SELECT unnest(CAST(? AS BIGINT[])))"
        return {row[0]: case_row(row) for row in cursor.execute(sql, [list(keys)]).fetchall()}


def rows_named(table: StateTable, names: Sequence[CaseKey]) -> list[CaseRow]:
    """Return some cases by their names; an unknown one is left out."""
    columns = [list(column) for column in zip(*names, strict=True)] or [[]] * 4
    sql = (
        "WITH wanted AS ("
        "SELECT unnest(CAST(? AS VARCHAR[])) AS model, unnest(CAST(? AS VARCHAR[])) AS tier, "
        "unnest(CAST(? AS VARCHAR[])) AS suite, unnest(CAST(? AS VARCHAR[])) AS case_id) "
        f"SELECT {COLUMNS} FROM cases SEMI JOIN wanted USING (model, tier, suite, case_id)"
    )
    with table.cursor() as cursor:
        return [case_row(row) for row in cursor.execute(sql, columns).fetchall()]


def same_case(table: StateTable, row: CaseRow) -> list[CaseRow]:
    """Return a case as every subject answered it."""
    sql = f"SELECT {COLUMNS} FROM cases WHERE suite = ? AND case_id = ? ORDER BY {NAMES}"
    with table.cursor() as cursor:
        return [case_row(result) for result in cursor.execute(sql, [row.suite, row.case]).fetchall()]


def neighbours(
    table: StateTable, key: int, chosen: CaseFilter, order: CaseOrder
) -> tuple[int | None, int | None]:
    """Return the cases before and after one in a filtered list."""
    condition, sort = _condition(chosen), f"({ORDERS[order]})"
    with table.cursor() as cursor:
        here = _place(cursor, sort, key)
        if here is None:
            return None, None
        before, after = (
            _rows(cursor, _beyond(condition, sort, here, is_back=is_back), sort, size=1, is_back=is_back)
            for is_back in (True, False)
        )
    result = [case_row(rows[0]).key if rows else None for rows in (before, after)]
    return result[0], result[1]


def part_sums(table: StateTable, chosen: CaseFilter, *, honeypots: bool = False) -> PartSums:
    """Return the sums over the cases that a filter chooses: over honeypots alone, or over all others."""
    condition = _condition(chosen)
    which = "honeypot" if honeypots else "NOT honeypot"
    with table.cursor() as cursor:
        row = cursor.execute(
            f"SELECT {SUMS} FROM cases WHERE {condition.sql} AND {which}", condition.values
        ).fetchone()
    return PartSums._make(row or ())


def subject_sums(table: StateTable, chosen: CaseFilter) -> dict[SubjectKey, PartSums]:
    """Return the sums of every subject over the cases that a filter chooses."""
    condition = _condition(chosen)
    sql = (
        f"SELECT model, tier, {SUMS} FROM cases WHERE {condition.sql} AND NOT honeypot "
        f"GROUP BY model, tier ORDER BY model, tier"
    )
    with table.cursor() as cursor:
        rows = cursor.execute(sql, condition.values).fetchall()
    return {SubjectKey(model, tier): PartSums._make(sums) for model, tier, *sums in rows}


def kind_counts(table: StateTable, chosen: CaseFilter) -> dict[str, int]:
    """Return how many samples ended in each way, in the cases that a filter chooses."""
    condition = _condition(chosen)
    listed = ", ".join(f"coalesce(sum({kind}), 0)" for kind in ("c", *KINDS, "n_error"))
    with table.cursor() as cursor:
        row = cursor.execute(
            f"SELECT {listed} FROM cases WHERE {condition.sql} AND NOT honeypot", condition.values
        ).fetchone()
    names = (Classification.PASS, *FAILURES, Classification.ERROR)
    return {str(name): int(number) for name, number in zip(names, row or (), strict=True)}


def matrix_page(
    table: StateTable, chosen: CaseFilter, *, after: tuple[str, str] | None, size: int
) -> tuple[list[CaseRow], int]:
    """Return the rows of a page of cases, all subjects of each, and how many cases there are."""
    condition = _condition(chosen)
    values = {**condition.values, "size": size}
    beyond = "true"
    if after is not None:
        beyond = "(suite, case_id) > ($after_suite, $after_case)"
        values |= {"after_suite": after[0], "after_case": after[1]}
    sql = (
        f"WITH chosen AS (SELECT DISTINCT suite, case_id FROM cases WHERE {condition.sql} AND {beyond} "
        f"ORDER BY suite, case_id LIMIT $size) "
        f"SELECT {COLUMNS} FROM cases SEMI JOIN chosen USING (suite, case_id) ORDER BY {NAMES}"
    )
    with table.cursor() as cursor:
        rows = cursor.execute(sql, values).fetchall()
        number = cursor.execute(
            f"SELECT count(DISTINCT (suite, case_id)) FROM cases WHERE {condition.sql}", condition.values
        ).fetchone()
    return [case_row(row) for row in rows], int((number or (0,))[0])


def suites_and_tags(table: StateTable) -> tuple[list[str], list[str]]:
    """Return the names that filters offer."""
    with table.cursor() as cursor:
        suites = cursor.execute("SELECT DISTINCT suite FROM names ORDER BY suite").fetchall()
        tags = cursor.execute("SELECT DISTINCT unnest(tags) AS tag FROM names ORDER BY tag").fetchall()
    return [name for (name,) in suites], [name for (name,) in tags]


def case_row(row: tuple[object, ...]) -> CaseRow:
    """Return the record of a row of the table."""
    key, model, tier, suite, case, tags, honeypot, n, c, errors, *rest = row
    *kinds, cost_n, cost_sum, latency_n, latency_sum, tokens_n, tokens_out = rest
    return CaseRow(
        key=key,  # type: ignore[arg-type]  # the columns are those of COLUMNS
        model=str(model),
        tier=str(tier),
        suite=str(suite),
        case=str(case),
        tags=tuple(tags or ()),  # type: ignore[arg-type]
        honeypot=bool(honeypot),
        n=n,  # type: ignore[arg-type]
        c=c,  # type: ignore[arg-type]
        errors=errors,  # type: ignore[arg-type]
        kinds={kind: number for kind, number in zip(KINDS, kinds, strict=True) if number},  # type: ignore[misc]
        cost_nano_usd=cost_sum if cost_n else None,  # type: ignore[arg-type]
        priced=cost_n,  # type: ignore[arg-type]
        latency_us=latency_sum / latency_n if latency_n else None,  # type: ignore[operator]
        tokens_out=tokens_out / tokens_n if tokens_n else None,  # type: ignore[operator]
    )


def _condition(chosen: CaseFilter) -> _Condition:
    parts, values = ["true"], dict[str, object]()
    if chosen.subject is not None:
        parts.append("model = $model AND tier = $tier")
        values |= {"model": chosen.subject.model, "tier": chosen.subject.tier}
    if chosen.suite is not None:
        parts.append("suite = $suite")
        values["suite"] = chosen.suite
    if chosen.tag is not None:
        parts.append("list_contains(tags, $tag)")
        values["tag"] = chosen.tag
    if chosen.kind is not None:
        column = {Classification.PASS: "c", Classification.ERROR: "n_error"}.get(chosen.kind, chosen.kind)
        parts.append(f"{column} > 0")
    if chosen.status is not None:
        parts.append(STATUSES[chosen.status])
    if chosen.name:
        parts.append("contains(lower(case_id), lower($name))")
        values["name"] = chosen.name
    if chosen.failed:
        parts.append("case_key IN (SELECT failed_cases.case_key FROM failed_cases WHERE test = $failed)")
        values["failed"] = chosen.failed
    for name, condition in LEAST.items():
        least = getattr(chosen, name)
        if least is not None:
            parts.append(f"({condition})")
            values[name] = least
    return _Condition(" AND ".join(parts), values)


def _sizes(cursor: duckdb.DuckDBPyConnection, condition: _Condition) -> tuple[int, int]:
    sql = f"SELECT count(*) FILTER ({condition.sql}), count(*) FROM cases"
    matching, total = cursor.execute(sql, condition.values).fetchone() or (0, 0)
    return matching, total


def _place(cursor: duckdb.DuckDBPyConnection, sort: str, key: int) -> tuple[object, ...] | None:
    """Return where a case stands in the list: what it is sorted by, and its names."""
    return cursor.execute(f"SELECT {sort}, {NAMES} FROM cases WHERE case_key = ?", [key]).fetchone()


def _beyond(
    condition: _Condition, sort: str, here: tuple[object, ...] | None, *, is_back: bool
) -> _Condition:
    """Return the condition of the rows after a place in the list, or before it."""
    if here is None:
        return condition
    index = {f"here{number}": value for number, value in enumerate(here)}
    row = ", ".join(f"${name}" for name in index)
    compared = f"({sort}, {NAMES}) {'<' if is_back else '>'} ({row})"
    return _Condition(f"{condition.sql} AND {compared}", {**condition.values, **index})


def _number(cursor: duckdb.DuckDBPyConnection, condition: _Condition) -> int:
    (result,) = cursor.execute(
        f"SELECT count(*) FROM cases WHERE {condition.sql}", condition.values
    ).fetchone() or (0,)
    return int(result)


def _rows(
    cursor: duckdb.DuckDBPyConnection, condition: _Condition, sort: str, *, size: int, is_back: bool
) -> list[tuple[object, ...]]:
    """Return the first rows that meet a condition, or the last ones, in the order of the list."""
    down = " DESC" if is_back else ""
    order = ", ".join(f"{name}{down}" for name in (sort, *NAMES.split(", ")))
    rows = cursor.execute(
        f"SELECT {COLUMNS} FROM cases WHERE {condition.sql} ORDER BY {order} LIMIT {size}", condition.values
    ).fetchall()
    return rows[::-1] if is_back else rows
