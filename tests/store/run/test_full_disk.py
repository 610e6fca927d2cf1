"""A disk that is full or read-only: said in words, nothing lost, and resumed when there is room again."""

from pathlib import Path
from typing import Any

import pytest

from tests.store.run.narrow_disk import CHUNK, on_small_disk

SAFE = "What was committed before is safe, and nothing of this commit counts; fix that and resume."


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened on a full disk."""
    return on_small_disk("full", tmp_path_factory.mktemp("full") / "disk", size="600k")


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened on a disk that became read-only."""
    return on_small_disk("read_only", tmp_path_factory.mktemp("read_only") / "disk", size="4m")


def test_a_full_disk_is_named(full: dict[str, Any]) -> None:
    for work in ("refusal", "finishing"):
        assert full[work].endswith(f"cannot be written: the disk is full (No space left on device).\n{SAFE}")
    assert full["extending"].endswith("run.json: cannot be written: No space left on device")


def test_a_full_disk_costs_no_row_that_was_acknowledged(full: dict[str, Any]) -> None:
    assert full["acknowledged"] > 0
    # The samples of the chunk that was refused may have found room, and its outcomes not.
    assert full["kept"] in {full["acknowledged"], full["acknowledged"] + CHUNK}


def test_writing_goes_on_when_there_is_room_again(full: dict[str, Any]) -> None:
    assert full["before"] == full["kept"]
    assert full["after"] == full["before"] + CHUNK
    assert full["reported"] == full["after"]
    assert len(full["left"]) == 1


@pytest.mark.check_all
def test_a_limit_on_files_is_named_and_costs_nothing(tmp_path: Path) -> None:
    limited = on_small_disk("limited", tmp_path / "disk", size="4m")

    assert limited["refusal"].endswith(f"a file may not grow that large here (File too large).\n{SAFE}")
    assert limited["acknowledged"] == limited["kept"] == limited["before"] == CHUNK
    assert limited["after"] == limited["reported"] == 2 * CHUNK


@pytest.mark.check_all
def test_a_read_only_folder_is_named(read_only: dict[str, Any]) -> None:
    for work in ("refusal", "beginning", "finishing"):
        assert read_only[work].endswith(f"the file system is read-only (Read-only file system).\n{SAFE}")


@pytest.mark.check_all
def test_a_run_in_a_read_only_folder_is_read_and_later_resumed(read_only: dict[str, Any]) -> None:
    assert read_only["kept"] == read_only["acknowledged"] == read_only["before"] == CHUNK
    assert read_only["after"] == read_only["reported"] == 2 * CHUNK
