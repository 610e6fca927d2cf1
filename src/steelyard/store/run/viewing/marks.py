"""Keep marks beside a run: one line of JSON each, only ever added.

A mark is never changed; a later one on the same sample by the same author counts instead.
"""

import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path

from steelyard.errors import InputError, StoreError
from steelyard.model.viewing import Mark
from steelyard.store.run.columns import KEY_COLUMNS, ColumnType, StoredColumn
from steelyard.store.run.location import is_remote, location_of

FILE_NAME = "marks.jsonl"
# A run may come from another user: the path may be a link or a pipe.
NO_OTHER = os.O_NOFOLLOW | os.O_NONBLOCK
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_OTHER
TYPES = {"key": int, "attempt": int, "is_blind": bool}  # all others are texts
PIECE = 2**20  # bytes
LARGEST_KEY, LARGEST_ATTEMPT = 2**63 - 1, 2**31 - 1  # what fits into the columns
MARKS = "marks"
# Columns: the sample key first, named as in the other tables.
MARK_COLUMNS = (
    *(column for column in KEY_COLUMNS if column.name != "case_digest"),
    *(
        StoredColumn(name=name, type=ColumnType.TEXT, meaning=meaning)
        for name, meaning in (
            ("label", "right, wrong, unclear or note"),
            ("note", "a line of text"),
            ("author", "who made the mark"),
            ("marked_at", "when"),
        )
    ),
    StoredColumn(name="is_blind", type=ColumnType.FLAG, meaning="made without seeing whose answer it is"),
)
NO_FILE = "it is not a plain file"


def add_mark(address: str, mark: Mark) -> None:
    """Add a mark to the file beside a run."""
    if is_remote(address):
        raise InputError("marks need a run on this machine: a bucket cannot add a line to a file")
    path = Path(location_of(address).address) / FILE_NAME
    line = json.dumps(asdict(mark), ensure_ascii=True, separators=(",", ":")) + "\n"
    try:
        with _opened(path, FLAGS) as handle:
            # A single append: lines of two viewers never mix.
            os.write(handle, line.encode())
            os.fsync(handle)
    except OSError as error:
        # A link, a pipe without a reader, or a folder fails to open.
        what = NO_FILE if path.is_symlink() or (path.exists() and not path.is_file()) else error.strerror
        raise StoreError(f"{path}: cannot be written: {what}") from error


def add_missing_marks(address: str, marks: Iterable[Mark]) -> None:
    """Add the marks that are not there; work that was interrupted has added some. A bucket takes none."""
    if is_remote(address):
        return
    there = set(read_marks(address))
    for mark in marks:
        if mark not in there:
            add_mark(address, mark)


def read_marks(address: str) -> Iterator[Mark]:
    """Give the marks of a run in the order in which they were made; a line that is no mark is left out."""
    for line in _content(address).splitlines():
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(parsed, dict) and (mark := _mark(parsed)) is not None:
            yield mark


def mark_row(mark: Mark) -> tuple[str | int | bool, ...]:
    """Return a mark as a row of the table that an export writes."""
    named = asdict(mark)
    renamed = {"case_id": named["case"], "case_key": named["key"], "marked_at": named["at"], **named}
    return tuple(renamed[column.name] for column in MARK_COLUMNS)


def _content(address: str) -> bytes:
    """Return what the file of marks holds; what is no plain file holds none."""
    location = location_of(address)
    if is_remote(address):
        return location.read(FILE_NAME) or b""
    try:
        with _opened(Path(location.address) / FILE_NAME, os.O_RDONLY | NO_OTHER) as handle:
            return b"".join(iter(lambda: os.read(handle, PIECE), b""))
    except OSError:
        return b""


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    """Open the file of marks, and no other that lies in its place."""
    handle = os.open(path, flags, 0o644)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, NO_FILE)
        yield handle
    finally:
        os.close(handle)


def _mark(result: dict[str, object]) -> Mark | None:
    """Return a mark, or None if a field is missing, of another type, or no text that can be shown."""
    contents = {field.name: result[field.name] for field in fields(Mark) if field.name in result}
    if not all(_fits(value, TYPES.get(name, str)) for name, value in contents.items()):
        return None
    try:
        mark = Mark(**contents)  # type: ignore[arg-type]  # just checked
    except TypeError:
        return None
    return mark if abs(mark.key) <= LARGEST_KEY and 0 <= mark.attempt <= LARGEST_ATTEMPT else None


def _fits(value: object, kind: type) -> bool:
    if type(value) is not kind:
        return False
    return not (isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value))
