"""Find the answers of a run that hold a given line of their case, in the engine: texts are many and long."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from steelyard.model.state import SubjectKey
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import RunStore

BATCH = 1_000  # answers are long

CaseName = tuple[str, str]  # suite and case


class HoldingAnswer(NamedTuple):
    """An answer that holds the line of its case."""

    model: str
    tier: str
    suite: str
    case: str
    text: str


def count_answers(store: RunStore, lines: Mapping[CaseName, str]) -> dict[SubjectKey, int]:
    """Return how many answers each subject has to the cases that have a line, in the order of their names."""
    sql = "SELECT model, tier, count(*) FROM given WHERE text IS NOT NULL GROUP BY ALL ORDER BY ALL"
    return {SubjectKey(model, tier): count for model, tier, count in _found(store, lines, sql)}


def answers_holding(store: RunStore, lines: Mapping[CaseName, str]) -> Iterator[HoldingAnswer]:
    """Give the answers that hold the line of their case somewhere."""
    sql = "SELECT model, tier, suite, case_id, text FROM given WHERE contains(text, line)"
    return map(HoldingAnswer._make, _found(store, lines, sql))


def _found(store: RunStore, lines: Mapping[CaseName, str], sql: str) -> Iterator[tuple]:  # type: ignore[type-arg]
    names = [list(column) for column in zip(*lines, strict=True)] or [[], []]
    listed = ", ".join(f"unnest(CAST(? AS VARCHAR[])) AS {name}" for name in ("suite", "case_id", "line"))
    with reading(store.samples) as connection:
        connection.execute(f"CREATE TEMP TABLE lines AS SELECT {listed}", [*names, list(lines.values())])
        connection.execute("CREATE TEMP VIEW given AS FROM rows JOIN lines USING (suite, case_id)")
        cursor = connection.execute(sql)
        while batch := cursor.fetchmany(BATCH):
            yield from batch
