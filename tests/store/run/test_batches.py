"""What is written down about batches is read as it was, and goes when it is not needed any more."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.model.sample import SampleKey
from steelyard.store.run.batches import BatchedRequest, BatchFiles, OpenBatch
from steelyard.store.run.location import Folder
from tests.store.run.small_run import fill, small_run

KEY = SampleKey("openai/m", "T0", "s", "c", "d", 3)
BATCH = OpenBatch(
    name="n",
    provider="openai",
    written_at=datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
    requests=(BatchedRequest(KEY, "p", "q"),),
)


def test_a_batch_is_read_as_it_was_written_last(tmp_path: Path) -> None:
    files = BatchFiles(Folder(tmp_path))
    assert files.read() == []

    files.write(BATCH)
    files.write(replace(BATCH, name="m"))
    files.write(replace(BATCH, id="batch_1"))

    assert files.read() == [replace(BATCH, name="m"), replace(BATCH, id="batch_1")]


def test_a_batch_that_is_removed_is_gone(tmp_path: Path) -> None:
    files = BatchFiles(Folder(tmp_path))
    files.write(BATCH)

    files.remove(BATCH)

    assert files.read() == []


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    files = BatchFiles(Folder(tmp_path))
    files.write(BATCH)
    Path(files.address(BATCH)).write_text('{"name": "n"}', encoding="utf-8")

    with pytest.raises(StoreError, match=r"n\.json.*file"):
        files.read()


def test_only_what_a_run_lacks_is_uncommitted(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=0)
    known = next(store.pending())
    fill(store, [known], chunk="one")
    lacking = [known._replace(attempt=1000), known._replace(digest="other")]

    assert store.uncommitted([lacking[0], known, lacking[1]]) == lacking


def test_a_claim_shuts_out_whoever_held_the_run_before(tmp_path: Path) -> None:
    first = small_run(tmp_path / "run")
    second = type(first)(first.location, first.manifest).hold()

    second.claim()

    with pytest.raises(StoreError, match="another process"):
        first.claim()
