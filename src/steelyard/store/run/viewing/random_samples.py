"""Sample at random for a person to rate, and read how they ended for a comparison with the ratings."""

from collections.abc import Iterable
from typing import NamedTuple

from steelyard.model.judgement import judgement_of
from steelyard.store.database import load_sql
from steelyard.store.run.files import RunReader, rows_of
from steelyard.store.run.run_store import RunStore

SPARE = 4  # times as many are chosen as are wanted: some wait for their check, or could not be checked


class SamplePlace(NamedTuple):
    """A sample by the numbers that links name it with."""

    key: int
    attempt: int


class Verdicts(NamedTuple):
    """Whether a sample passed, by its check and by its judges; None without a verdict."""

    passed: bool | None
    judged: bool | None


def random_samples(engine: RunReader, store: RunStore, number: int) -> tuple[SamplePlace, ...]:
    """Generate samples with an answer and a verdict, each with the same chance.

    The order is that of a hash of each sample's key, so that the same samples come first when the run grows.
    """
    digests = [case.digest for case in store.manifest.current_cases()]
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW samples AS {rows_of(store.samples)}")
        values = {"digests": digests, "number": number * SPARE}
        rows = connection.execute(load_sql("view_random_samples"), values).fetchall()
    chosen = [SamplePlace(*row) for row in rows]
    ended = verdicts_of(engine, store, chosen)
    return tuple(sample for sample in chosen if sample in ended and ended[sample].passed is not None)[:number]


def verdicts_of(
    engine: RunReader, store: RunStore, places: Iterable[SamplePlace]
) -> dict[SamplePlace, Verdicts]:
    """Return how some samples ended; one without an outcome is left out."""
    samples = set(places)
    keys = sorted({index.key for index in samples})
    sql = (
        "SELECT case_key, attempt, passed, judgement FROM outcomes "
        "WHERE case_key IN (SELECT unnest(CAST(? AS BIGINT[]))) "
        "AND attempt IN (SELECT unnest(CAST(? AS INTEGER[])))"
    )
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes)}")
        rows = connection.execute(sql, [keys, sorted({index.attempt for index in samples})]).fetchall()
    return {
        sample: Verdicts(passed, None if not judged else judgement_of(judged).is_passed)
        for *key, passed, judged in rows
        if (sample := SamplePlace(*key)) in samples
    }
