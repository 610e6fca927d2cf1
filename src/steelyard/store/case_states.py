"""Count the outcomes of each case in one group-by, validated before its rows are fetched."""

from collections.abc import Iterator

import duckdb

from steelyard.errors import InputError
from steelyard.model.state import CaseKey, CaseState, Clusters
from steelyard.model.units import MICRO_POINTS
from steelyard.store.database import load_sql
from steelyard.store.diagnosis import EMPTY, RowFault
from steelyard.store.duplicates import NAMES, Attempts, are_distinct, range_marks

MINIMA = {
    "score_micro": "score_min",
    "cost_nano": "cost_min",
    "latency_us": "latency_min",
    "tokens_in": "tokens_in_min",
    "tokens_out": "tokens_out_min",
}
ATTEMPTS = "attempt_n, attempt_number_n, attempt_min, attempt_max, attempt_mark"
LARGEST = 2**63 - 1
AT_A_TIME = 2048  # rows that stay in the processor's cache until they are states
_COUNTS = CaseState._fields[len(NAMES) + 1 :]  # behind the names and the digest


def count_cases(
    connection: duckdb.DuckDBPyConnection, measured: frozenset[str], *, where: str
) -> list[CaseState]:
    """Count the view `outcomes` by case into the table `case_states`, sorted by name."""
    counted = load_sql("case_states", measured=measured)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE case_states AS {counted}")
    _require_sound(connection, measured)
    states = _fetched(connection, digest="nullif(digest, '')" if "digest" in measured else "NULL")
    if not states:
        raise InputError(f"{where}: holds no outcomes; there is a header, but not a single row")
    return states


def _fetched(connection: duckdb.DuckDBPyConnection, *, digest: str) -> list[CaseState]:
    """Fetch the counts by column; columns that are all 0 share one column."""
    counts = dict(_integers(connection))
    requested = {**dict.fromkeys(NAMES), "digest": digest, **counts, "nothing": "0"}
    selected = ", ".join(f"{sql} AS {name}" if sql else name for name, sql in requested.items())
    ordered = f"SELECT {selected} FROM case_states ORDER BY {', '.join(NAMES)}"
    arrays = connection.execute(ordered).fetchnumpy()
    large = [name for name, sql in counts.items() if sql.endswith("VARCHAR)")]
    columns = [name if name in requested else "nothing" for name in (*NAMES, "digest", *_COUNTS)]
    states: list[CaseState] = []
    for start in range(0, len(arrays["nothing"]), AT_A_TIME):
        some = {name: values[start : start + AT_A_TIME].tolist() for name, values in arrays.items()}
        some |= {name: list(map(int, some[name])) for name in large}
        states.extend(map(CaseState._make, zip(*(some[name] for name in columns), strict=True)))
    return states


def _integers(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    """Yield SQL for each nonzero count; counts beyond 64 bits become text."""
    highest = ", ".join(f"coalesce(max({name}), 0)" for name in _COUNTS)
    row = connection.execute(f"SELECT {highest} FROM case_states").fetchall()[0]
    for name, most in zip(_COUNTS, row, strict=True):
        if most:
            kind = "VARCHAR" if most > LARGEST else "BIGINT"
            yield name, f"CAST(coalesce({name}, 0) AS {kind})"


def case_clusters(connection: duckdb.DuckDBPyConnection, measured: frozenset[str]) -> Clusters:
    """Return the cluster of each case of the view `outcomes` that is in one; no case may be in two."""
    if "cluster" not in measured:
        return {}
    rows = connection.execute(load_sql("clusters")).fetchall()
    for suite, case, first, last in rows:
        if first != last:
            raise InputError(
                f"case {case!r} of suite {suite!r} is in two clusters, {first!r} and {last!r}; "
                f"give all of its rows the same one"
            )
    return {(suite, case): cluster for suite, case, cluster, _ in rows}


def cases_in_doubt(connection: duckdb.DuckDBPyConnection) -> list[CaseKey]:
    """Return the cases in which some attempt may have been claimed twice."""
    mark_of_range = range_marks(connection)
    # Nearly all cases have the same attempts, so few ranges cover most of them.
    seen = connection.execute(f"SELECT DISTINCT {ATTEMPTS} FROM case_states").fetchall()
    doubtful = {numbers for numbers in seen if not are_distinct(Attempts(*numbers), mark_of_range)}
    if not doubtful:
        return []
    rows = connection.execute(f"SELECT {', '.join(NAMES)}, {ATTEMPTS} FROM case_states").fetchall()
    return sorted(CaseKey(*row[: len(NAMES)]) for row in rows if row[len(NAMES) :] in doubtful)


def _require_sound(connection: duckdb.DuckDBPyConnection, measured: frozenset[str]) -> None:
    """Refuse rows that cannot be reported; their location is searched only then."""
    faults = dict(_faults(measured))
    row = connection.execute(
        f"SELECT {', '.join(f'bool_or({condition})' for condition in faults)} FROM case_states"
    ).fetchall()[0]
    for fault, is_found in zip(faults.values(), row, strict=True):
        if is_found:
            raise _two_digests(connection) if fault is None else fault


def _faults(measured: frozenset[str]) -> Iterator[tuple[str, RowFault | None]]:
    """Yield SQL conditions for invalid cases with their faults, except for conflicting digests."""
    for column in NAMES:
        requested = f"every row needs a {column.removesuffix('_id')}"
        yield f"coalesce({column}, '') = ''", RowFault(column, EMPTY, requested)
    yield "digest IS DISTINCT FROM digest_max", None
    too_high = RowFault("score_micro", f"value > {MICRO_POINTS}", "expected a number from 0 to 1")
    yield f"score_max > {MICRO_POINTS}", too_high
    for column, minimum in MINIMA.items():
        yield f"{minimum} < 0", RowFault(column, "value < 0", "expected a number from 0")
    if "attempt" in measured:
        yield "attempt_n <> n + n_error", RowFault("attempt", EMPTY, "every row needs an attempt number")


def _two_digests(connection: duckdb.DuckDBPyConnection) -> InputError:
    case, model = connection.execute(
        "SELECT case_id, model FROM case_states WHERE digest IS DISTINCT FROM digest_max ORDER BY ALL"
    ).fetchall()[0]
    return InputError(
        f"case {case!r} of {model!r} has two digests: two different cases share one id; "
        f"give them ids of their own, or score the two versions apart"
    )
