"""Count a run's outcomes: one group-by to case states, here or in many processes at once.

Each share of the files is counted in integers, which add up to the same sum in any order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import itemgetter

from steelyard.errors import StoreError
from steelyard.model.state import CaseState
from steelyard.store.database import connect, load_sql
from steelyard.store.duplicates import range_marks
from steelyard.store.run.columns import EVIDENCE_COLUMNS, OUTCOME_COLUMNS
from steelyard.store.run.files import engine, reading, rows_sql
from steelyard.store.run.listing import ColumnCount, DataFile
from steelyard.store.run.progress import CaseName
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.table import StoreTable

# Columns with separate sums for passes and failures.
BY_PASS = {"score_by_pass": "score_micro", "cost_by_pass": "cost_nano_usd"}

StateRow = tuple[int, ...]  # the case key, the counts of a case state, and the mark of the attempts


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Files of a table for one worker, and how to count them."""

    address: str
    uris: tuple[str, ...]
    present: frozenset[str]
    sql: str
    threads: int | None = None


Counter = Callable[[Sequence[Share]], Iterable[Sequence[StateRow]]]


def shares(
    table: StoreTable, *, parts: int, threads: int | None = None, by_pass: bool = True
) -> tuple[Share, ...]:
    """Split a table's files into parts with about equally many rows."""
    hands: list[list[DataFile]] = [[] for _ in range(parts)]
    for file in sorted(table.files(), key=lambda file: -file.rows):
        min(hands, key=lambda hand: sum(contents.rows for contents in hand)).append(file)
    sql, present = states_sql(table, by_pass=by_pass), table.present()
    return tuple(
        Share(
            address=table.location.address,
            uris=tuple(sorted(file.uri for file in hand)),
            present=present,
            sql=sql,
            threads=threads,
        )
        for hand in hands
        if hand
    )


def count_share(share: Share) -> list[StateRow]:
    """Count one share; runs in any process that can reach the files."""
    with engine(share.address, threads=share.threads) as connection:
        connection.execute(f"CREATE TEMP VIEW rows AS {rows_sql(share.uris, OUTCOME_COLUMNS, share.present)}")
        return connection.execute(share.sql).fetchall()


def count_here(dealt: Sequence[Share]) -> Iterable[Sequence[StateRow]]:
    """Count shares sequentially; the engine uses all cores for each."""
    return map(count_share, dealt)


def states_sql(table: StoreTable, *, by_pass: bool = True) -> str:
    """Return the SQL for what the table log does not contain.

    The log counts the nulls of every column in every file. A column that is null everywhere need not be
    read, and where exactly the rows without evidence lack a value, counting the rows with it is spared.
    Without `by_pass`, sums of the passes and failures alone are 0: they take a third of the time.
    """
    counts, rows = table.counts(), sum(file.rows for file in table.files())
    errors = counts["passed"].nulls if "passed" in counts else 0
    measured = _measured_columns(counts, rows)
    if by_pass:
        measured |= {name for name, column in BY_PASS.items() if column in measured}
    sql = load_sql("run_states", measured=measured)
    for name, count in counts.items():
        if count.nulls == 0:
            sql = sql.replace(f"count({name})", "count(*)")
        elif name in EVIDENCE_COLUMNS and count.nulls == errors:
            sql = sql.replace(f"count({name})", "count(passed)")
    return sql.replace("count(*) FILTER (passed IS NOT NULL)", "count(passed)")


def _measured_columns(counts: Mapping[str, ColumnCount], rows: int) -> frozenset[str]:
    result = {name for name, count in counts.items() if count.nulls < rows}
    result -= {name for name in ("untested", "unlinted") if name in counts and counts[name].highest is False}
    if "cost_nano_usd" in result and counts["cost_nano_usd"].nulls:
        result.add("unpriced")
    return frozenset(result)


def case_states(store: RunStore, counter: Counter, dealt: Sequence[Share]) -> list[CaseState]:
    """Return the state of each case in its current form; raise StoreError for contradictions."""
    with ThreadPoolExecutor(max_workers=1) as aside:
        # Names are computed and sorted while the engine counts.
        naming = aside.submit(_names_in_order, store)
        rows = merge_states(counter(dealt))
    names = naming.result()
    _require_sound(store, rows, names)
    current = {(case.suite, case.case): case.digest for case in store.manifest.cases}
    by_key = {row[0]: row for row in rows}
    return [
        _state(by_key[key], name)
        for key, name in names.items()
        if key in by_key and current[name[2], name[3]] == name[4]
    ]


def _names_in_order(store: RunStore) -> dict[int, CaseName]:
    return dict(sorted(store.case_names().items(), key=itemgetter(1)))


def merge_states(parts: Iterable[Sequence[StateRow]]) -> list[StateRow]:
    """Add up the counts of the same case from different shares.

    >>> total, = merge_states([[(1, *[1] * COUNTED, 7)], [(1, *[2] * COUNTED, 1)]])
    >>> total[1], total[-1]
    (3, 6)
    """
    by_key: dict[int, StateRow] = {}
    for part in parts:
        for row in part:
            known = by_key.get(row[0])
            by_key[row[0]] = row if known is None else _add(known, row)
    return list(by_key.values())


COUNTED = len(CaseState._fields) - 5  # everything but the four names and the digest


def _add(state_row: StateRow, other: StateRow) -> StateRow:
    sums = (a + b for a, b in zip(state_row[1:-1], other[1:-1], strict=True))
    return (state_row[0], *sums, state_row[-1] ^ other[-1])


def _state(row: StateRow, name: CaseName) -> CaseState:
    # In the table, a case without a digest has an empty one.
    return CaseState._make((*name[:4], name[4] or None, *row[1:-1]))


def _require_sound(store: RunStore, rows: Sequence[StateRow], names: Mapping[int, CaseName]) -> None:
    address = store.outcomes.location.address
    if any(row[0] not in names for row in rows):
        raise StoreError(f"{address}: holds outcomes of a case that run.json does not know")
    with connect() as connection:
        mark_of_range = range_marks(connection)
        # A complete run has attempts 0, 1, 2 … of each case, which the mark proves; see `duplicates.py`.
        suspects = [row[0] for row in rows if row[-1] != mark_of_range(0, row[1] + row[3] - 1)]
    for key, attempt in _find_doubled(store, suspects):
        case = " / ".join(names[key][:4])
        raise StoreError(f"{address}: attempt {attempt} of {case} occurs twice")


def _find_doubled(store: RunStore, suspects: Sequence[int]) -> list[tuple[int, int]]:
    """Return a suspect attempt that occurs twice, if any."""
    if not suspects:
        return []
    with reading(store.outcomes) as connection:
        sql = load_sql("doubled")
        return connection.execute(sql, {"suspects": suspects}).fetchall()
