"""Give what judges said about the answers of a run."""

from collections.abc import Iterator
from typing import NamedTuple

from steelyard.model.judgement import Judgement, judgement_of
from steelyard.model.sample import SampleKey
from steelyard.store.database import load_sql
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import RunStore

BATCH = 1_000  # judgements are long


class Judged(NamedTuple):
    """A judgement with the sample that it is about.

    Equal answers to one case share one judgement; `is_first` is true for one of them.
    """

    key: SampleKey
    judgement: Judgement
    is_first: bool


def judgements_of_run(store: RunStore) -> Iterator[Judged]:
    """Give the judgement of every sample that has one."""
    with reading(store.outcomes) as connection:
        result = connection.execute(load_sql("judgements"))
        while batch := result.fetchmany(BATCH):
            for *key, text, is_first in batch:
                yield Judged(SampleKey._make(key), judgement_of(text), is_first)
