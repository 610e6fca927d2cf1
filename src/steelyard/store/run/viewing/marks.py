"""Keep marks beside a run: one line of JSON each, only ever added.

A mark is never changed; a later one on the same sample by the same author counts instead.
"""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

from steelyard.errors import InputError, StoreError
from steelyard.model.viewing import Mark
from steelyard.store.run.location import is_remote, location_of

FILE_NAME = "marks.jsonl"
# A run may come from another user: what is at this place may be a link to a file elsewhere, or a pipe.
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
NUMBERS = {"key", "attempt"}
NO_FILE = "it is not a plain file"


def add_mark(address: str, mark: Mark) -> None:
    """Add a mark to the file beside a run."""
    if is_remote(address):
        raise InputError("marks need a run on this machine: a bucket cannot add a line to a file")
    path = Path(location_of(address).address) / FILE_NAME
    line = json.dumps(asdict(mark), ensure_ascii=True, separators=(",", ":")) + "\n"
    try:
        # One write in append mode: two viewers never mix their lines.
        handle = os.open(path, FLAGS, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise StoreError(f"{path}: cannot be written: {NO_FILE}")
            os.write(handle, line.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        # A link, a pipe without a reader, or a folder cannot even be opened.
        what = NO_FILE if path.is_symlink() or (path.exists() and not path.is_file()) else error.strerror
        raise StoreError(f"{path}: cannot be written: {what}") from error


def read_marks(address: str) -> Iterator[Mark]:
    """Give the marks of a run in the order in which they were made; a line that is no mark is left out."""
    content = location_of(address).read(FILE_NAME) or b""
    for line in content.splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and (mark := _mark(found)) is not None:
            yield mark


def _mark(found: dict[str, object]) -> Mark | None:
    """Return a mark, or None if a field is missing, of another type, or no text that can be shown."""
    held = {one.name: found[one.name] for one in fields(Mark) if one.name in found}
    if not all(_fits(value, is_number=name in NUMBERS) for name, value in held.items()):
        return None
    try:
        return Mark(**held)  # type: ignore[arg-type]  # just checked
    except TypeError:
        return None


def _fits(value: object, *, is_number: bool) -> bool:
    if is_number:
        return type(value) is int
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)
