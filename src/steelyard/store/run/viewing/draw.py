"""Draw samples at random for a person to rate, and read how they ended for a comparison with the ratings."""

from collections.abc import Iterable
from typing import NamedTuple

from steelyard.model.judgement import judgement_of
from steelyard.store.database import load_sql
from steelyard.store.run.files import RunReader, rows_of
from steelyard.store.run.run_store import RunStore

SPARE = 4  # times as many are drawn as are wanted: some wait for their check, or could not be checked


class SamplePlace(NamedTuple):
    """A sample by the numbers that links name it with."""

    key: int
    attempt: int


class Verdicts(NamedTuple):
    """Whether a sample passed, and whether its judges say so; None where there is no such verdict."""

    passed: bool | None
    judged: bool | None


def drawn_samples(engine: RunReader, store: RunStore, number: int) -> tuple[SamplePlace, ...]:
    """Draw samples with an answer and a verdict, each with the same chance.

    The order is that of a hash of each sample's key, so that the same samples come first when the run grows.
    """
    digests = [case.digest for case in store.manifest.current_cases()]
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW samples AS {rows_of(store.samples)}")
        values = {"digests": digests, "number": number * SPARE}
        found = connection.execute(load_sql("view_drawn"), values).fetchall()
    drawn = [SamplePlace(*row) for row in found]
    ended = verdicts_of(engine, store, drawn)
    return tuple(place for place in drawn if place in ended and ended[place].passed is not None)[:number]


def verdicts_of(
    engine: RunReader, store: RunStore, places: Iterable[SamplePlace]
) -> dict[SamplePlace, Verdicts]:
    """Return how some samples ended; one without an outcome is left out."""
    wanted = set(places)
    keys = sorted({place.key for place in wanted})
    sql = (
        "SELECT case_key, attempt, passed, judgement FROM outcomes "
        "WHERE case_key IN (SELECT unnest(CAST(? AS BIGINT[]))) "
        "AND attempt IN (SELECT unnest(CAST(? AS INTEGER[])))"
    )
    with engine.cursor() as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(store.outcomes)}")
        found = connection.execute(sql, [keys, sorted({place.attempt for place in wanted})]).fetchall()
    return {
        place: Verdicts(passed, None if not judged else judgement_of(judged).is_passed)
        for *key, passed, judged in found
        if (place := SamplePlace(*key)) in wanted
    }
