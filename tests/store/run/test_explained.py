"""Errors of the table library, said in words."""

from pathlib import Path

import pytest
from deltalake.exceptions import CommitFailedError, DeltaError

from steelyard.errors import StoreError
from steelyard.store.run.faults import SAFE, UNREAD, explain_faults, size_fault
from steelyard.store.run.library_message import library_message
from steelyard.store.run.listing import DataFile
from steelyard.store.run.location import Folder
from tests.store.run.small_run import small_run

PanicException = type("PanicException", (BaseException,), {})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A table with nothing wrong about it."""
    folder = tmp_path_factory.mktemp("explained") / "run"
    small_run(folder)
    return Folder(folder / "samples")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (DeltaError("Generic: No space left (os error 28)"), "the disk is full (No space left on device)"),
        (
            DeltaError("Error: Os { code: 13, kind: PermissionDenied }"),
            "this user may not (Permission denied)",
        ),
        (OSError("wrong in another way (os error 104)"), "refused (Connection reset by peer)"),
    ],
)
def test_what_the_machine_refuses_is_named(place: Folder, error: Exception, message: str) -> None:
    with pytest.raises(StoreError) as found, explain_faults(place, "cannot be written"):
        raise error

    assert str(found.value) == f"{place.address}: cannot be written: {message}.\n{SAFE}"


def test_nothing_is_said_about_commits_to_whoever_only_reads(place: Folder) -> None:
    with pytest.raises(StoreError, match=r"Permission denied\)\.$"), explain_faults(place, UNREAD):
        raise DeltaError("(os error 13)")


def test_a_conflict_is_another_writer(place: Folder) -> None:
    with (
        pytest.raises(StoreError, match="process"),
        explain_faults(place, "cannot be written"),
    ):
        raise CommitFailedError("Failed to commit transaction: Concurrent transaction failed.")


def test_a_failure_that_the_library_did_not_expect_is_still_an_error_of_ours(place: Folder) -> None:
    with (
        pytest.raises(StoreError, match=r"written.*Invalid"),
        explain_faults(place, "cannot be written"),
    ):
        raise PanicException("Invalid object\n   0: <unknown>\n   1: <unknown>")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("a bug")])
def test_whatever_is_not_the_librarys_passes(place: Folder, error: BaseException) -> None:
    with pytest.raises(type(error)), explain_faults(place, UNREAD):
        raise error


def test_a_message_is_kept_short() -> None:
    assert len(library_message("x" * 10_000)) < 600


def test_a_file_that_cannot_even_be_looked_at_is_named(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    file = DataFile(uri=str(tmp_path / "plain" / "part-0"), rows=1, size_bytes=1)

    fault = size_fault([file], lambda: ("", b""))

    assert fault == f"{file.uri}: cannot be read: Not a directory"
