"""Keep marks beside a run: one line of JSON each, only ever added.

A mark is never changed; a later one on the same sample by the same author counts instead.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

from steelyard.errors import InputError, StoreError
from steelyard.model.viewing import Mark
from steelyard.store.run.location import is_remote, location_of

FILE_NAME = "marks.jsonl"


def add_mark(address: str, mark: Mark) -> None:
    """Add a mark to the file beside a run."""
    if is_remote(address):
        raise InputError("marks need a run on this machine: a bucket cannot add a line to a file")
    path = Path(location_of(address).address) / FILE_NAME
    line = json.dumps(asdict(mark), ensure_ascii=True, separators=(",", ":")) + "\n"
    try:
        # One write in append mode: two viewers never mix their lines.
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(handle, line.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}") from error


def read_marks(address: str) -> Iterator[Mark]:
    """Give the marks of a run in the order in which they were made; a torn line is left out."""
    content = location_of(address).read(FILE_NAME) or b""
    names = {one.name for one in fields(Mark)}
    for line in content.splitlines():
        try:
            found = json.loads(line)
            yield Mark(**{name: value for name, value in found.items() if name in names})
        except (ValueError, TypeError, AttributeError):
            continue
