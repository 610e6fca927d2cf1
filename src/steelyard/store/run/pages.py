"""Show one case's samples, a page at a time, beside what the checks saw.

Reads only the files, and in them only the groups of rows, that can hold the case.
"""

from dataclasses import dataclass

from steelyard.model.sample import Sample
from steelyard.model.state import CaseKey
from steelyard.store.database import question
from steelyard.store.run.columns import OUTCOME_COLUMNS, SAMPLE_COLUMNS
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.progress import sample_of
from steelyard.store.run.run_store import RunStore

PAGE_SIZE = 20

# What a page tells of an outcome beside what the sample says already.
SEEN_COLUMNS = tuple(
    column.name for column in OUTCOME_COLUMNS if column.name not in {known.name for known in SAMPLE_COLUMNS}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSample:
    """A sample and the columns of its outcome; None while it has not been checked."""

    sample: Sample
    outcome: dict[str, object] | None


def samples_of(
    store: RunStore, case: CaseKey, *, first: int = 0, count: int = PAGE_SIZE
) -> tuple[SeenSample, ...]:
    """Return one page of a case's samples, by attempt."""
    holding = {"model": case.model, "tier": case.tier, "suite": case.suite, "case_id": case.case}
    with reading(store.samples, holding) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes, holding)}")
        names = ", ".join(f"outcomes.{name}" for name in SEEN_COLUMNS)
        sql = question("samples_of_case", measured=frozenset()).replace("SEEN_COLUMNS", names)
        rows = connection.execute(sql, {"count": count, "first": first}).fetchall()
    return tuple(_seen(row) for row in rows)


def _seen(row: tuple[object, ...]) -> SeenSample:
    names = [column.name for column in SAMPLE_COLUMNS]
    sample = sample_of(dict(zip(names, row, strict=False)))
    outcome = dict(zip(SEEN_COLUMNS, row[len(names) :], strict=True))
    return SeenSample(sample=sample, outcome=outcome if outcome["classification"] is not None else None)
