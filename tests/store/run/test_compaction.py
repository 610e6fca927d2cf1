"""Putting a table in order."""

from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.store.run.compaction import ORDER, compact
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import open_run
from tests.store.run.small_run import generated, small_run


def test_rows_lie_in_order_of_their_case_afterwards(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=4)

    compact(store.samples)

    with reading(open_run(tmp_path / "run").samples) as connection:
        lying = connection.execute("SELECT model, case_id, attempt, text FROM rows").fetchall()
        sorted_rows = connection.execute(
            f"SELECT model, case_id, attempt, text FROM rows ORDER BY {ORDER}"  # noqa: S608  # our own words
        ).fetchall()
    assert lying == sorted_rows
    assert len(lying) == 24


def test_a_table_in_one_file_is_left_alone(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=1)
    before = store.samples.delta().version()

    compact(store.samples)

    assert store.samples.delta().version() == before


def test_a_table_with_a_doubled_row_is_not_touched(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=2)
    store.add_samples([generated(next(iter(store.manifest.wanted())))], chunk="planted")
    before = store.samples.files()

    with pytest.raises(StoreError, match=r"25.*24.*attempts"):
        compact(store.samples)

    assert store.samples.files() == before
