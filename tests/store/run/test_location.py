"""An address leads to a folder or a bucket, or is refused in words."""

import os
from pathlib import Path

import pytest

from steelyard.errors import StoreError, UserError
from steelyard.store.run.location import Folder, location_of


def test_a_path_is_a_folder_however_it_is_written(tmp_path: Path) -> None:
    written: list[str | Path] = [tmp_path / "run", str(tmp_path / "run"), f"file://{tmp_path}/run"]

    assert {location_of(address).address for address in written} == {str(tmp_path / "run")}


def test_an_unknown_kind_of_address_is_refused() -> None:
    with pytest.raises(UserError, match=r"ftp://host/run.*address"):
        location_of("ftp://host/run")


@pytest.mark.parametrize("name", ["a[1]", "a|b", "a^b", "a*", "a\nb"])
def test_a_folder_whose_name_the_table_library_misreads_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="contain"):
        location_of(Path("/tmp") / name).child("samples")  # noqa: S108  # nothing is written


def test_a_file_is_replaced_whole_and_leaves_no_draft(tmp_path: Path) -> None:
    place = location_of(tmp_path / "new" / "run")

    place.write("run.json", b"old")
    place.write("run.json", b"new")

    assert (place.names(), place.read("run.json")) == (["run.json"], b"new")


def test_a_folder_that_is_a_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = location_of(tmp_path / "file")

    assert (place.names(), place.read("run.json")) == ([], None)
    with pytest.raises(StoreError, match="cannot be written"):
        place.write("run.json", b"")


def test_what_cannot_be_done_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()
    place = Folder(tmp_path)

    with pytest.raises(StoreError, match=r"run\.json.*plain"):
        place.read("run.json")
    with pytest.raises(StoreError, match=r"run\.json.*removed"):
        place.remove("run.json")
    with pytest.raises(StoreError, match=r"absent.*file"):
        place.flush("absent")
    with pytest.raises(StoreError, match=r"File.*name"):
        location_of(tmp_path / ("x" * 300)).names()


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_plain_file_is_not_read(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "run.json"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "device":
        place.symlink_to("/dev/zero")
    else:
        place.mkdir()

    with pytest.raises(StoreError, match=r"plain.*file"):
        Folder(tmp_path).read("run.json")
