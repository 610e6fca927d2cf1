"""Count the answers of a run whose check could not run."""

from steelyard.model.report import UncheckedSamples
from steelyard.store.database import load_sql
from steelyard.store.run.files import engine, rows_of
from steelyard.store.run.run_store import RunStore


def check_errors(store: RunStore, *, share: float) -> UncheckedSamples | None:
    """Return the answers that could not be checked, and the most frequent reason; None up to a share.

    Calls that brought no answer, and honeypots, do not count.
    """
    with engine(store.location.address) as connection:
        for name, table in {"samples": store.samples, "outcomes": store.outcomes}.items():
            counting = f"{store.counting_sql()} AND NOT {store.honeypot_sql()}"
            connection.execute(f"CREATE TEMP VIEW {name} AS FROM ({rows_of(table)}) WHERE {counting}")
        groups = connection.execute(load_sql("check_errors")).fetchall()
    samples = sum(number for _, number in groups)
    failed = [(reason, number) for reason, number in groups if reason is not None]
    unchecked = sum(number for _, number in failed)
    if unchecked <= share * samples:
        return None
    return UncheckedSamples(unchecked=unchecked, samples=samples, reason=failed[0][0])
