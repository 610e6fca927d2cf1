"""Look at every single value: the middle, the extremes, the most frequent one.

Unlike counts and sums, these do not add up from parts, so all samples are read once more.
"""

from collections import defaultdict
from collections.abc import Mapping

import duckdb

from steelyard.model.options import StatisticsLimit
from steelyard.model.state import CaseKey, Quantity, Repeats, RunState, ScoreCounts, Spread, SubjectKey
from steelyard.store.database import load_sql

RUNS_LIMIT = 100  # runs of a subject up to which each of them is counted
SHORT_ANSWER = 16  # tokens up to which independent samples may well give the same answer
SPREAD_LIMIT = 2_000_000  # samples up to which every value is read by default

VALUE_COLUMNS = {
    Quantity.SCORE: "score_micro",
    Quantity.IMPL_RATE: "impl_micro",
    Quantity.COST: "cost_nano",
    Quantity.LATENCY: "latency_us",
}
Spreads = Mapping[tuple[SubjectKey, Quantity], Spread]


def are_wanted(limit: StatisticsLimit, samples: int) -> bool:
    """Whether so many samples are to be read one by one."""
    return limit is not StatisticsLimit.AUTO or samples <= SPREAD_LIMIT


def spreads(connection: duckdb.DuckDBPyConnection, measured: frozenset[str]) -> Spreads:
    """Return how each quantity of the view `known_outcomes` spreads over the samples of a subject."""
    result: dict[tuple[SubjectKey, Quantity], Spread] = {}
    for quantity, column in VALUE_COLUMNS.items():
        if column in measured:
            sql = load_sql("spread", measured=measured).replace("VALUE_COLUMN", column)
            for model, tier, *numbers in connection.execute(sql).fetchall():
                result[SubjectKey(model, tier), quantity] = Spread._make(numbers)
    return result


def runs(
    connection: duckdb.DuckDBPyConnection, measured: frozenset[str]
) -> Mapping[SubjectKey, tuple[RunState, ...]]:
    """Return what each run came to, for the subjects that have few enough of them."""
    if "attempt" not in measured:
        return {}
    result: defaultdict[SubjectKey, list[RunState]] = defaultdict(list)
    rows = connection.execute(load_sql("runs", measured=measured), {"most": RUNS_LIMIT}).fetchall()
    for model, tier, *counts in rows:
        result[SubjectKey(model, tier)].append(RunState._make(counts))
    return {subject: tuple(listed) for subject, listed in result.items()}


def score_counts(
    connection: duckdb.DuckDBPyConnection, measured: frozenset[str]
) -> Mapping[CaseKey, ScoreCounts]:
    """Return how often each score came up in each case of the view `known_outcomes`."""
    if "score_micro" not in measured:
        return {}
    result: defaultdict[CaseKey, list[tuple[int, int]]] = defaultdict(list)
    for *names, score, times in connection.execute(load_sql("score_counts")).fetchall():
        result[CaseKey._make(names)].append((score, times))
    return {case: tuple(listed) for case, listed in result.items()}


def repeats(connection: duckdb.DuckDBPyConnection, measured: frozenset[str]) -> Mapping[CaseKey, Repeats]:
    """Return the cases of the view `known_outcomes` in which answers repeat, by the digests of answers."""
    if "answer_digest" not in measured:
        return {}
    tokens = "tokens_out" if "tokens_out" in measured else "CAST(NULL AS BIGINT)"
    sql = load_sql("repeats").replace("TOKENS", tokens).replace("SHORT", str(SHORT_ANSWER))
    rows = connection.execute(sql).fetchall()
    return {CaseKey._make(names): Repeats(*counts) for *names, counts in ((*r[:4], r[4:]) for r in rows)}
