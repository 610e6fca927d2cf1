"""Looking through a table's log for what is missing in it."""

from pathlib import Path

import pytest

from steelyard.store.run.location import Folder
from steelyard.store.run.log import (
    actions_of,
    drafts,
    entry_fault,
    entry_name,
    is_whole,
    last_checkpoint,
    log_fault,
)
from tests.store.run.small_run import small_run


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    """A table with six entries in its log."""
    store = small_run(tmp_path / "run", chunks=5)
    table = store.outcomes.location
    assert isinstance(table, Folder)
    return table


def entry(place: Folder, version: int) -> Path:
    """Return the file of an entry."""
    return Path(place.address) / entry_name(version)


def test_every_entry_we_write_is_whole(place: Folder) -> None:
    assert entry_fault(place, range(6)) is None
    assert log_fault(place) is None


def test_an_entry_is_not_whole_without_any_of_its_lines(place: Folder) -> None:
    lines = entry(place, 3).read_bytes().splitlines()

    for kept in range(len(lines)):
        assert not is_whole(b"\n".join(lines[:kept]))
    assert is_whole(b"\n".join(lines))


def test_an_entry_cut_anywhere_but_at_its_end_is_not_whole(place: Folder) -> None:
    text = entry(place, 3).read_bytes()

    assert not [length for length in range(len(text)) if is_whole(text[:length])]


def test_an_entry_of_another_tool_is_taken_as_it_is() -> None:
    spark = b'{"commitInfo":{"operation":"OPTIMIZE","operationMetrics":{"numAddedFiles":"1"}}}'

    assert is_whole(spark)
    assert is_whole(b'{"add":{"path":"part-0"}}')


@pytest.mark.parametrize("text", [b"", b"\n", b"[]", b"{}", b"3", b"{", b"\0\0\0"])
def test_an_entry_that_says_nothing_is_no_entry(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        actions_of(text)


def test_a_missing_entry_is_found(place: Folder) -> None:
    entry(place, 2).unlink()

    assert "00000000000000000002.json: this entry of the table's log is missing" in (log_fault(place) or "")


def test_a_log_without_entries_is_gone(tmp_path: Path) -> None:
    assert "is gone or empty" in (log_fault(Folder(tmp_path)) or "")


def test_entries_before_a_checkpoint_are_not_asked_for(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=5)
    store.outcomes.checkpoint()
    entry(Folder(tmp_path / "run" / "outcomes"), 2).unlink()

    assert last_checkpoint(store.outcomes.location) == 5
    assert log_fault(store.outcomes.location) is None


def test_only_drafts_are_drafts() -> None:
    kept = ["00000000000000000001.json", "_last_checkpoint", "00000000000000000001.checkpoint.parquet"]
    left = ["_commit_1.json.tmp", "00000000000000000002.json#1", ".00000000000000000000.json.abc"]

    assert drafts([*kept, *left]) == left
