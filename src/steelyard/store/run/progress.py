"""Find out what is left to do: planned minus generated, generated minus checked.

The engine subtracts, so that a million committed rows never become a million Python objects.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from steelyard.model.run import Manifest, RunCase, case_key, key_of_words, words_of
from steelyard.model.sample import Sample, SampleKey
from steelyard.store.database import load_sql
from steelyard.store.run.columns import SAMPLE_COLUMNS
from steelyard.store.run.files import RunReader, reading, rows_of
from steelyard.store.run.table import StoreTable

BATCH = 10_000  # rows turned into Python objects at a time
EVERY_ROW = "true"  # the condition in SQL that all rows meet

CaseName = tuple[str, str, str, str, str]  # model, tier, suite, case, digest


class CaseProgress(NamedTuple):
    """How far one subject's case is."""

    samples: int
    cost_nano_usd: int
    unpriced: int
    evidence: int
    passes: int
    errors: int
    errored: int = 0  # samples without an answer, which are generated again when the run goes on


class RunTotals(NamedTuple):
    """What all cases of a run come to together."""

    samples: int
    cost_nano_usd: int
    unpriced: int
    errored: int  # samples without an answer
    checked: int
    rated: int  # checked, with a verdict, and no honeypot
    passes: int


def pending(manifest: Manifest, samples: StoreTable) -> Iterator[SampleKey]:
    """Yield planned samples that are not committed, in plan order."""
    keys = planned_cases(manifest, manifest.current_cases())
    with reading(samples) as connection:
        connection.execute(
            "CREATE TEMP TABLE planned AS SELECT unnest(CAST(? AS BIGINT[])) AS case_key, "
            "unnest(CAST(? AS BIGINT[])) AS samples, unnest(range(?)) AS place",
            [list(keys), [manifest.samples_of(model, tier) for model, tier, *_ in keys.values()], len(keys)],
        )
        cursor = connection.execute(load_sql("pending"))
        names = list(keys.values())
        while batch := cursor.fetchmany(BATCH):
            for number, attempt in batch:
                yield SampleKey._make((*names[number], attempt))


def uncommitted(samples: StoreTable, keys: Sequence[SampleKey]) -> list[SampleKey]:
    """Return uncommitted samples in order, for a few thousand at a time."""
    numbers = [case_key(*key[:-1]) for key in keys]
    with reading(samples) as connection:
        rows = connection.execute(
            "SELECT case_key, attempt FROM rows "
            "WHERE case_key IN (SELECT unnest(CAST(? AS BIGINT[]))) GROUP BY ALL",
            [sorted(set(numbers))],
        ).fetchall()
    known = set(rows)
    return [key for key, number in zip(keys, numbers, strict=True) if (number, key.attempt) not in known]


def unchecked(samples: StoreTable, outcomes: StoreTable) -> Iterator[Sample]:
    """Yield committed answers without an outcome, in table order."""
    with reading(samples) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(outcomes)}")
        cursor = connection.execute(load_sql("unchecked"))
        names = [column.name for column in SAMPLE_COLUMNS]
        while batch := cursor.fetchmany(BATCH):
            yield from (sample_of(dict(zip(names, row, strict=True))) for row in batch)


def case_progress(samples: StoreTable, outcomes: StoreTable) -> dict[int, CaseProgress]:
    """Return the progress of each case with samples, by case key."""
    with reading(samples) as connection:
        connection.execute(f"CREATE TEMP VIEW outcomes AS {rows_of(outcomes)}")
        rows = connection.execute(load_sql("case_progress")).fetchall()
    return {key: CaseProgress(*counts) for key, *counts in rows}


def places_of(table: StoreTable, keys: Iterable[int]) -> set[tuple[int, int]]:
    """Return the cases and attempts that a table holds of some cases."""
    with reading(table) as connection:
        return set(
            connection.execute(
                "SELECT case_key, attempt FROM rows WHERE case_key IN (SELECT unnest(CAST(? AS BIGINT[])))",
                [list(keys)],
            ).fetchall()
        )


def count_rows(table: StoreTable, *, where: str, reader: RunReader) -> int:
    """Count the rows of a table that meet an SQL condition."""
    if where == EVERY_ROW:
        return sum(file.rows for file in table.files())
    with reading(table, reader=reader) as connection:
        return int(connection.execute(f"SELECT count(*) FROM rows WHERE {where}").fetchall()[0][0])


def whole_progress(
    samples: StoreTable, outcomes: StoreTable, *, counts: str, is_honeypot: str, reader: RunReader
) -> RunTotals:
    """Return the total progress; SQL conditions select counted rows and honeypots."""
    with reading(samples, reader=reader) as connection:
        connection.execute(f"CREATE TEMP VIEW samples AS SELECT *, {counts} AS counts FROM rows")
        labelled = f"SELECT *, {counts} AS counts, {is_honeypot} AS is_honeypot FROM ({rows_of(outcomes)})"
        connection.execute(f"CREATE TEMP VIEW outcomes AS {labelled}")
        row = connection.execute(load_sql("whole_progress")).fetchone()
    assert row is not None  # noqa: S101  # sums have one row
    return RunTotals(*row)


def imported_progress(outcomes: StoreTable, *, reader: RunReader) -> RunTotals:
    """Return the total progress of an imported run: outcomes, with or without answers."""
    with reading(outcomes, reader=reader) as connection:
        row = connection.execute(
            "SELECT count(*), CAST(coalesce(sum(cost_nano_usd), 0) AS BIGINT), "
            "count(*) FILTER (WHERE cost_nano_usd IS NULL), 0, count(*), count(passed), "
            "count(*) FILTER (WHERE passed) FROM rows"
        ).fetchone()
    assert row is not None  # noqa: S101  # sums have one row
    return RunTotals(*row)


def sample_of(row: dict[str, object]) -> Sample:
    """Return the sample that a row of the table holds."""
    kept = {name: value for name, value in row.items() if name not in {"case_key", "answer_digest"}}
    return Sample(case=kept.pop("case_id"), digest=kept.pop("case_digest"), **kept)  # type: ignore[arg-type]


def planned_cases(manifest: Manifest, cases: Iterable[RunCase]) -> dict[int, CaseName]:
    """Return the planned cases of each subject by case key."""
    # All subjects share the names of a case; up to 10^5 keys are created.
    forms = [(case.suite, case.case, case.digest) for case in cases]
    ends = [words_of(*form) for form in forms]
    result: dict[int, CaseName] = {}
    for subject in manifest.subjects:
        who, start = (subject.model, subject.tier), words_of(subject.model, subject.tier)
        keys = [key_of_words(start + end) for end in ends]
        result.update(zip(keys, [(*who, *form) for form in forms], strict=True))
    return result
