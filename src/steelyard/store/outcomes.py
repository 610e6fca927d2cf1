"""Count outcomes from files: one group-by to case states, exact at any size.

Counts and adds integers only; every estimate is made elsewhere, from what this returns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb

from steelyard.errors import OptionsNeeded, UserError
from steelyard.metrics.appraisal import ScoringRule
from steelyard.metrics.rules import describe_rule
from steelyard.model.options import ColumnMapping, Duplicates, Errors, StatisticsLimit
from steelyard.model.price import Price
from steelyard.model.state import CaseState, Evidence, ExpectedCase, SubjectKey
from steelyard.store.appraisals import outcomes_view
from steelyard.store.case_states import case_clusters, cases_in_doubt, count_cases
from steelyard.store.counts import require_sound_counts
from steelyard.store.database import connect
from steelyard.store.diagnosis import RowFault, blank_cells, explain_fault, locate_fault
from steelyard.store.duplicates import without_duplicates
from steelyard.store.files import input_files
from steelyard.store.hints import hint, likely_options
from steelyard.store.mapping import VERDICTS
from steelyard.store.pricing import priced
from steelyard.store.reading import FILE_COLUMN, Table, is_packed_json, rows_view, tables
from steelyard.store.spreads import are_wanted, repeats, runs, score_counts, spreads


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """How to read and count."""

    rule_for: Callable[[frozenset[str]], ScoringRule]
    naming: ColumnMapping = field(default_factory=ColumnMapping)
    duplicates: Duplicates = Duplicates.ERROR
    errors: Errors = Errors.EXCLUDE
    spread: StatisticsLimit = StatisticsLimit.AUTO
    count_scores: bool = False  # whether to count how often each score came up in each case
    expected: frozenset[ExpectedCase] | None = None
    prices: tuple[Price, ...] = ()
    threads: int | None = None


def count_outcomes(patterns: Iterable[str | Path], counting: Counting) -> Evidence:
    """Read outcome files and return the evidence on each case."""
    with counted_outcomes(patterns, counting) as (_, evidence):
        return evidence


@contextmanager
def counted_outcomes(
    patterns: Iterable[str | Path], counting: Counting
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Evidence]]:
    """Count outcome files; yield the connection (view `outcomes`) and the evidence."""
    files = input_files(patterns)
    # Each thread that reads JSON takes about 100 MB, even for a small packed file.
    threads = 1 if any(map(is_packed_json, files)) else None
    with connect(threads=counting.threads or threads) as connection:
        result: Sequence[Table] = ()
        try:
            result = tables(connection, files, counting.naming)
            yield connection, _evidence(connection, result, counting)
        except RowFault as fault:
            raise locate_fault(connection, result, fault) from None
        except duckdb.Error as error:
            raise explain_fault(connection, files, result, error) from error


def _evidence(connection: duckdb.DuckDBPyConnection, result: Sequence[Table], counting: Counting) -> Evidence:
    require_sound_counts(connection, result)
    rows = rows_view(result, counting.naming)
    columns = frozenset().union(*(table.columns for table in result)) | {
        "model",
        "tier",
        "suite",
        FILE_COLUMN,
    }
    if "case_id" not in columns:
        options = likely_options(connection, result[0])
        raise OptionsNeeded(f"{_no_case(result)}\n{hint(options)}", options=options)
    if "attempt" in columns:
        columns |= {"attempt_number"}
    rows, columns = priced(rows, columns, counting.prices)
    _require_verdicts(connection, result[0], columns, counting)
    evidence = evidence_of(connection, rows, columns, counting, where=result[0].where)
    # With a classification, the verdict of an error may be empty.
    is_unsaid = "kind" not in columns and any(state.n_error for state in evidence.states)
    return replace(evidence, blank=blank_cells(connection, result, "passed")) if is_unsaid else evidence


def _require_verdicts(
    connection: duckdb.DuckDBPyConnection, table: Table, columns: frozenset[str], counting: Counting
) -> None:
    """Without a column for passes, add a likely candidate to the message."""
    try:
        counting.rule_for(columns)
    except UserError as error:
        if columns & VERDICTS:
            raise
        options = likely_options(connection, table)
        message = f"{table.where}: no column for passed samples.\n{hint(options)}"
        raise OptionsNeeded(message if options else str(error), options=options or _unsaid(columns)) from None


def _unsaid(columns: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the required options if no column looks like passes."""
    return (("pass_score", "1"),) if "score_micro" in columns else (("map", "passed=COLUMN"),)


def evidence_of(
    connection: duckdb.DuckDBPyConnection,
    rows: str,
    columns: frozenset[str],
    counting: Counting,
    *,
    where: str,
) -> Evidence:
    """Count rows of any source, given as SQL with our columns and units."""
    rule = counting.rule_for(columns)
    measured = _create_outcomes(connection, rows, columns, rule)
    states = count_cases(connection, measured, where=where)
    dropped: Mapping[SubjectKey, int] = {}
    suspects = cases_in_doubt(connection) if "attempt" in columns else []
    if suspects:
        unique, dropped = without_duplicates(
            connection, rows, columns=columns, suspects=suspects, policy=counting.duplicates
        )
        if dropped:
            _create_outcomes(connection, unique, columns, rule)
            states = count_cases(connection, measured, where=where)
    known, unknown = _sorted_out(states, counting.expected)
    bare = Evidence(
        states=known,
        unknown=unknown,
        scoring=describe_rule(rule),
        spreads=None,
        dropped_duplicates=dropped,
        clusters=case_clusters(connection, measured),
        names_refusals="kind" in columns and _names_kinds(connection, rows, columns),
    )
    return _with_single_values(bare, connection, measured, counting)


def _sorted_out(
    states: Iterable[CaseState], expected: frozenset[ExpectedCase] | None
) -> tuple[tuple[CaseState, ...], tuple[CaseState, ...]]:
    """Part the states of expected cases from the others."""
    if expected is None:
        return tuple(states), ()
    known: list[CaseState] = []
    unknown: list[CaseState] = []
    for state in states:
        is_known = not expected.isdisjoint([(state.suite, state.case), (None, state.case)])
        (known if is_known else unknown).append(state)
    return tuple(known), tuple(unknown)


def _no_case(result: Sequence[Table]) -> str:
    columns = ", ".join(repr(name) for name in list(result[0].types)[:20]) or "none"
    return f"{result[0].where}: no column for the case; the columns are {columns}."


def _names_kinds(connection: duckdb.DuckDBPyConnection, rows: str, columns: frozenset[str]) -> bool:
    """Whether every failed outcome has a classification."""
    unnamed = "kind IS NULL AND passed IS NOT TRUE" if "passed" in columns else "kind IS NULL"
    return connection.execute(f"SELECT 1 FROM ({rows}) WHERE {unnamed} LIMIT 1").fetchall() == []


def _create_outcomes(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: frozenset[str], rule: ScoringRule
) -> frozenset[str]:
    """Create the view `outcomes`, and return the columns it has."""
    view, measured = outcomes_view(connection, rows, columns, rule)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW outcomes AS {view}")
    return measured


def _with_single_values(
    evidence: Evidence, connection: duckdb.DuckDBPyConnection, measured: frozenset[str], counting: Counting
) -> Evidence:
    """Add per-sample statistics: spreads and runs up to a limit, scores on request."""
    is_small = are_wanted(counting.spread, sum(state.n + state.n_error for state in evidence.states))
    if not is_small and not counting.count_scores:
        return evidence
    _create_known_outcomes(connection, evidence.unknown, measured, counting.errors)
    return replace(
        evidence,
        spreads=spreads(connection, measured) if is_small else None,
        runs=runs(connection, measured) if is_small else {},
        scores=score_counts(connection, measured) if counting.count_scores else {},
        repeats=repeats(connection, measured) if is_small else {},
    )


def _create_known_outcomes(
    connection: duckdb.DuckDBPyConnection,
    unknown: Sequence[CaseState],
    measured: frozenset[str],
    errors: Errors,
) -> None:
    """Create the view of the outcomes whose values count; by policy infrastructure errors score 0.

    The duration of such an error is no evidence about the model under any policy.
    """
    left_out = sorted({(state.suite, state.case) for state in unknown})
    suites, cases = ([pair[index] for pair in left_out] for index in (0, 1))
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE unknown_cases AS "
        "SELECT unnest(CAST(? AS VARCHAR[])) AS suite, unnest(CAST(? AS VARCHAR[])) AS case_id",
        [suites, cases],
    )
    without = " ANTI JOIN unknown_cases USING (suite, case_id)" if left_out else ""
    changed = []
    if errors is Errors.FAIL:
        changed.append("CASE WHEN passed IS NULL THEN 0 ELSE score_micro END AS score_micro")
    if "latency_us" in measured:
        changed.append("CASE WHEN passed IS NOT NULL THEN latency_us END AS latency_us")
    columns = f"* REPLACE ({', '.join(changed)})" if changed else "*"
    connection.execute(
        f"CREATE OR REPLACE TEMP VIEW known_outcomes AS SELECT {columns} FROM outcomes{without}"
    )
