"""Runs of earlier versions are read, resumed and finished; runs of later ones are refused in words."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.metrics.rules import rule_of
from steelyard.store.run.columns import OUTCOME_COLUMNS, SAMPLE_COLUMNS, ColumnType, StoredColumn
from steelyard.store.run.compaction import migrate
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.files import reading
from steelyard.store.run.location import Folder
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.rows import outcome_rows, sample_rows
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.table import StoreTable
from tests.store.run.small_run import MANIFEST, generated, seen, small_run

DATA = Path(__file__).parent / "data"
LATER = StoredColumn(name="mood", type=ColumnType.TEXT, meaning="a column of a version to come")
ADDED = frozenset({"peak_memory_bytes", "is_shared"})  # as if version 1 had come without them
SAMPLES = [generated(key) for key in MANIFEST.wanted()]


def counted(store: RunStore) -> list[dict[str, object]]:
    """Return what is counted about each case."""
    return [state._asdict() for state in run_evidence(store, RunCounting()).states]


def older_run(path: Path) -> Path:
    """Make a run whose table of outcomes lacks columns that came later."""
    place = Folder(path)
    older = tuple(column for column in OUTCOME_COLUMNS if column.name not in ADDED)
    samples = StoreTable(place.child("samples"), SAMPLE_COLUMNS, group_rows=100)
    outcomes = StoreTable(place.child("outcomes"), older, group_rows=100)
    rows = outcome_rows([(sample, seen(sample)) for sample in SAMPLES], rule_of(MANIFEST.scoring))
    for table in (samples, outcomes):
        table.create()
        table.hold()
    samples.add(sample_rows(SAMPLES), chunk="all")
    outcomes.add(rows.select([column.name for column in older]), chunk="all")
    write_manifest(place, MANIFEST)
    return path


def test_a_column_that_came_later_reads_as_null(tmp_path: Path) -> None:
    store = open_run(older_run(tmp_path / "run"))

    with reading(store.outcomes) as connection:
        rows = connection.execute("SELECT DISTINCT peak_memory_bytes, is_shared FROM rows").fetchall()

    assert rows == [(None, None)]
    assert counted(store) == counted(small_run(tmp_path / "now"))


def test_holding_a_table_gives_it_the_columns_that_came_later(tmp_path: Path) -> None:
    before = counted(open_run(older_run(tmp_path / "run")))

    store = open_run(tmp_path / "run").hold()

    assert store.outcomes.present() >= ADDED
    assert store.outcomes.counts()["peak_memory_bytes"].nulls == len(SAMPLES)
    assert counted(open_run(tmp_path / "run")) == before
    assert not store.add_outcomes([(sample, seen(sample)) for sample in SAMPLES], chunk="all")


def test_a_table_with_a_column_of_a_later_version_is_read_and_not_written(tmp_path: Path) -> None:
    place = Folder(tmp_path / "samples")
    StoreTable(place, (*SAMPLE_COLUMNS, LATER), group_rows=100).create()
    table = StoreTable(place, SAMPLE_COLUMNS, group_rows=100)

    with reading(table) as connection:
        assert connection.execute("SELECT count(*) FROM rows").fetchall() == [(0,)]
    with pytest.raises(InputError, match=r"version.*column"):
        migrate(table)
