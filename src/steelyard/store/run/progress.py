"""Find out what is left to do: planned minus drawn, drawn minus checked.

The engine subtracts, so that a million committed rows never become a million Python objects.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from steelyard.model.run import Manifest, RunCase, case_key
from steelyard.model.sample import Sample, SampleKey
from steelyard.store.database import question
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.table import RunTable

BATCH = 10_000  # rows turned into Python objects at a time

CaseName = tuple[str, str, str, str, str]  # model, tier, suite, case, digest


class CaseProgress(NamedTuple):
    """How far one subject's case is."""

    samples: int
    cost_nano_usd: int
    unpriced: int
    evidence: int
    passes: int
    errors: int


def undrawn(manifest: Manifest, samples: RunTable) -> Iterator[SampleKey]:
    """Give the samples that were planned and never committed, in the order of the plan."""
    keys = planned_cases(manifest, manifest.current_cases())
    with reading(samples) as connection:
        connection.execute(
            "CREATE TEMP TABLE planned AS "
            "SELECT unnest(CAST(? AS BIGINT[])) AS case_key, unnest(range(?)) AS place",
            [list(keys), len(keys)],
        )
        result = connection.execute(
            question("undrawn", measured=frozenset()), {"attempts": manifest.planned_samples or 0}
        )
        names = list(keys.values())
        while batch := result.fetchmany(BATCH):
            for place, attempt in batch:
                yield SampleKey._make((*names[place], attempt))


def unchecked(samples: RunTable, outcomes: RunTable) -> Iterator[Sample]:
    """Give the committed answers that have no outcome yet, in the order of the table."""
    with reading(samples) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(outcomes)}")
        result = connection.execute(question("unchecked", measured=frozenset()))
        names = [column.name for column in SAMPLE_COLUMNS]
        while batch := result.fetchmany(BATCH):
            yield from (sample_of(dict(zip(names, row, strict=True))) for row in batch)


def case_progress(samples: RunTable, outcomes: RunTable) -> dict[int, CaseProgress]:
    """Return how far each case is, by the number that stands for it; one without samples is left out."""
    with reading(samples) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(outcomes)}")
        found = connection.execute(question("case_progress", measured=frozenset())).fetchall()
    return {key: CaseProgress(*counts) for key, *counts in found}


def sample_of(row: dict[str, object]) -> Sample:
    """Return the sample that a row of the table holds."""
    kept = {name: value for name, value in row.items() if name not in {"case_key", "answer_digest"}}
    return Sample(case=kept.pop("case_id"), digest=kept.pop("case_digest"), **kept)  # type: ignore[arg-type]


def planned_cases(manifest: Manifest, cases: Iterable[RunCase]) -> dict[int, CaseName]:
    """Return who should answer what, by the number that stands for it in the tables."""
    forms = tuple(cases)
    names = (
        (subject.model, subject.tier, case.suite, case.case, case.digest)
        for subject in manifest.subjects
        for case in forms
    )
    return {case_key(*name): name for name in names}
