"""Read files of logs: plain or packed with gzip, JSON or one JSON object a line, never more than fits.

A log is untrusted: every size is bounded, and whatever is wrong with a file is an InputError with its place.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from steelyard.errors import InputError
from steelyard.logs.record import Record
from steelyard.unpacking import (
    LARGEST_UNPACKED,
    LONGEST_LINE,
    open_gzip,
    read_parsable,
    require_parsable,
    text_memory,
)

HEAD = 65_536
LARGEST_FILE = 2 * 2**30  # bytes of one plain file; packed ones are bounded by `unpacking`
LARGEST_LINE = 256 * 2**20
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"


def head(path: Path) -> bytes:
    """Return the beginning of a file, unpacked; nothing for a folder or a file that cannot be read."""
    if not path.is_file():
        return b""
    try:
        with _opened(path) as file:
            return file.read(HEAD)
    except InputError:
        return b""


def is_packed(path: Path) -> bool:
    """Whether a file begins as gzip does, whatever its name is."""
    with path.open("rb") as raw:
        return raw.read(len(GZIP)) == GZIP


def is_json(path: Path) -> bool:
    """Whether a file begins as JSON does."""
    return head(path).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}


def first_record(path: Path) -> dict[str, object]:
    """Return the object on the first line of a file, or nothing if there is none."""
    if not is_json(path):
        return {}
    state = path.stat()
    return _first(path, state.st_mtime_ns, state.st_size)


def whole(path: Path) -> object:
    """Return a JSON document for a look at its form; None if the file holds none."""
    if not is_json(path):
        return None
    try:
        return document(path)
    except InputError:
        return None


def top(path: Path) -> dict[str, object]:
    """Return the object that a JSON file holds, for a look at its keys; empty for anything else."""
    return _object(whole(path))


def document(path: Path) -> object:
    """Return what a JSON file holds, or say why it cannot be read."""
    state = path.stat()
    value, error = _document(path, state.st_mtime_ns, state.st_size)
    if error is not None:
        raise error
    return value


@lru_cache(maxsize=1)
def _first(path: Path, _changed: int, _size: int) -> dict[str, object]:
    """Parse a line once, although every reader looks at it."""
    try:
        return _object(json.loads(next(_lines(path), b"")))
    except (ValueError, RecursionError, InputError):
        return {}


@lru_cache(maxsize=1)
def _document(path: Path, _changed: int, _size: int) -> tuple[object, InputError | None]:
    """Parse a file once, or find its fault once, although every reader looks at it."""
    try:
        return parse(_contents(path), str(path)), None
    except InputError as error:
        return None, error


def _contents(path: Path) -> bytes:
    with _opened(path) as file:
        if is_packed(path):
            return read_parsable(file, str(path))
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path}: larger than {LARGEST_FILE >> 30} GiB; too large for a log")
    return data


def records(path: Path) -> Iterator[Record]:
    """Yield the objects of a file that has one on each line, each with its place."""
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            where = f"{path}:{number}"
            yield Record(parse(line, where), where)


def parse(data: bytes, where: str) -> object:
    """Parse JSON, or say where it is wrong."""
    try:
        return cast("object", json.loads(data.removeprefix(b"\xef\xbb\xbf").decode()))
    except RecursionError:
        raise InputError(f"{where}: nested too deeply for a log") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}: this is not UTF-8 text") from None
    except ValueError as error:
        raise InputError(f"{where}: this is not JSON, or it was cut off: {error}") from None


def text_of(path: Path) -> str:
    """Return the whole text of a file."""
    data = _contents(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not UTF-8 text") from None


def _lines(path: Path) -> Iterator[bytes]:
    size = kept = 0
    packed = is_packed(path)
    longest = LONGEST_LINE if packed else LARGEST_LINE
    with _opened(path) as file:
        while line := file.readline(longest + 1):
            size += len(line)
            if size > LARGEST_FILE:
                raise InputError(f"{path}: larger than {LARGEST_FILE >> 30} GiB; too large for a log")
            if len(line) > longest:
                raise InputError(f"{path}: a line is longer than {longest >> 20} MiB; too long for a log")
            if packed:
                kept += text_memory(line)
                require_parsable(line, str(path))
            if kept > LARGEST_UNPACKED:
                raise InputError(
                    f"{path}: its texts take more than {LARGEST_UNPACKED >> 20} MiB of memory; "
                    "if you trust it, unpack it and pass the plain file"
                )
            yield line


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        packed = is_packed(path)
        with path.open("rb") as raw:
            if packed:
                with open_gzip(raw, path) as unpacked:
                    yield unpacked
            else:
                yield raw
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
