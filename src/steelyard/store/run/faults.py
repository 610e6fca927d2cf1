"""Explain faults of a table: which file, what is safe, what to do.

The messages of the table library hold a page of memory addresses and no advice.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, EFBIG, EIO, ENOENT, ENOSPC, EROFS
from pathlib import Path

from deltalake.exceptions import CommitFailedError, DeltaError

from steelyard.errors import StoreError
from steelyard.store.run.library_message import library_message
from steelyard.store.run.listing import DataFile
from steelyard.store.run.location import Location
from steelyard.store.run.log import log_fault

PANIC = "PanicException"  # what the table library raises where it did not expect to fail; no Exception
UNREAD = "cannot be read"
SAFE = "What was committed before is safe, and nothing of this commit counts; fix that and resume."

_OS_ERROR = re.compile(r"(?:os error|Os { code:) (?P<number>\d+)")
_IN_WORDS = {
    ENOSPC: "the disk is full",
    EDQUOT: "the quota is used up",
    EFBIG: "a file may not grow that large here",
    EROFS: "the file system is read-only",
    EACCES: "this user may not",
    EIO: "the disk fails",
}


@contextmanager
def explain_faults(location: Location, what: str) -> Iterator[None]:
    """Convert the table library's exceptions into errors with location, cause and advice."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != PANIC and not isinstance(error, DeltaError | OSError):
            raise
        raise _explanation(location, what, error) from error


def _explanation(location: Location, what: str, error: BaseException) -> StoreError:
    if isinstance(error, CommitFailedError) and "oncurrent" in str(error):
        return other_writer(location)
    if reason := _of_the_machine(str(error)):
        safe = "" if what == UNREAD else f"\n{SAFE}"
        return StoreError(f"{location.address}: {what}: {reason}.{safe}")
    return StoreError(log_fault(location) or f"{location.address}: {what}: {library_message(error)}")


def other_writer(location: Location) -> StoreError:
    """Return the refusal of a writer that is not the only one."""
    return StoreError(
        f"{location.address}: another process has written to this run since this one opened it.\n"
        f"Nothing was written; let the other one finish, then resume."
    )


def size_fault(files: Iterable[DataFile], last_entry: Callable[[], tuple[str, bytes]]) -> str | None:
    """Describe the first file whose size differs from the log; None if all match.

    `last_entry` gives the path and the text of the log's last entry, in case power failed in a commit.
    """
    for file in files:
        try:
            size = Path(file.uri).stat().st_size
        except FileNotFoundError:
            return _damage_message(file, "the file is missing", *last_entry())
        except OSError as error:
            return f"{file.uri}: cannot be read: {error.strerror}"
        if size != file.size_bytes:
            what = f"the file has {size} bytes; the log has {file.size_bytes}"
            return _damage_message(file, what, *last_entry())
    return None


def _of_the_machine(message: str) -> str | None:
    """Return the operating system's error; a missing file points to the log instead."""
    match = _OS_ERROR.search(message)
    number = int(match["number"]) if match else ENOENT
    return None if number == ENOENT else f"{_IN_WORDS.get(number, 'refused')} ({os.strerror(number)})"


def _damage_message(file: DataFile, what: str, entry: str, text: bytes) -> str:
    is_of_last_commit = Path(file.uri).name.encode() in text
    unsafe = (
        f"If the machine stopped while it wrote this file, its rows were never reported as safe: "
        f"move {entry} out of the folder and resume, and they are generated again. Otherwise put "
    )
    return (
        f"{file.uri}: {what}.\n"
        f"Nothing was dropped: its {file.rows} rows are missed rather than left out of the count.\n"
        f"{unsafe if is_of_last_commit else 'Put '}the file back from a copy of the run."
    )
