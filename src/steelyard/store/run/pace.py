"""Compute the mean length, cost and time of a run's answers."""

from dataclasses import dataclass

from steelyard.store.database import load_sql
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.run_store import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectPace:
    """The mean answer of one subject; None where unknown."""

    model: str
    tier: str
    answers: int
    tokens_in: float | None
    tokens_out: float | None
    cost_nano_usd: float | None
    generate_s: float  # from the first answer to the last, without long pauses
    check_s: float | None  # of one answer


def run_paces(store: RunStore) -> tuple[SubjectPace, ...]:
    """Return the pace of each subject that has answers."""
    if not store.samples.files():
        return ()
    with reading(store.samples) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes)}")
        cursor = connection.execute(load_sql("paces"))
        names = [column[0] for column in cursor.description]
        return tuple(SubjectPace(**dict(zip(names, row, strict=True))) for row in cursor.fetchall())
