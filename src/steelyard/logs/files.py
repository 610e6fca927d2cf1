"""Read log files: JSON or JSON lines, plain or compressed with gzip, within size limits.

Logs are untrusted: every size is limited, and any fault is an InputError with its location.
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
LARGEST_FILE = 2 * 2**30  # bytes of a plain file; compressed ones are limited by `unpacking`
LARGEST_LINE = 256 * 2**20
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"


def head(path: Path) -> bytes:
    """Return the beginning of a file, decompressed; empty for a folder or an unreadable file."""
    if not path.is_file():
        return b""
    try:
        with _opened(path) as file:
            return file.read(HEAD)
    except InputError:
        return b""


def is_packed(path: Path) -> bool:
    """Whether a file is gzip data, regardless of its name."""
    with path.open("rb") as raw:
        return raw.read(len(GZIP)) == GZIP


def is_json(path: Path) -> bool:
    """Whether a file starts like JSON."""
    return head(path).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}


def first_record(path: Path) -> dict[str, object]:
    """Return the JSON object on the first line of a file, or an empty one."""
    if not is_json(path):
        return {}
    state = path.stat()
    return _first(path, state.st_mtime_ns, state.st_size)


def whole(path: Path) -> object:
    """Return a JSON document; None if it cannot be parsed."""
    if not is_json(path):
        return None
    try:
        return document(path)
    except InputError:
        return None


def top(path: Path) -> dict[str, object]:
    """Return the object in a JSON file; empty for anything else."""
    return _object(whole(path))


def document(path: Path) -> object:
    """Return the content of a JSON file; raises InputError."""
    state = path.stat()
    value, error = _document(path, state.st_mtime_ns, state.st_size)
    if error is not None:
        raise error
    return value


@lru_cache(maxsize=1)
def _first(path: Path, _changed: int, _size: int) -> dict[str, object]:
    """Parse the first line once for all readers."""
    try:
        return _object(json.loads(next(_lines(path), b"")))
    except (ValueError, RecursionError, InputError):
        return {}


@lru_cache(maxsize=1)
def _document(path: Path, _changed: int, _size: int) -> tuple[object, InputError | None]:
    """Parse a file once for all readers; return the content or the error."""
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
    """Yield the objects of a JSON lines file with their locations."""
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            where = f"{path}:{number}"
            yield Record(parse(line, where), where)


def parse(data: bytes, where: str) -> object:
    """Parse JSON; raises InputError with the location."""
    try:
        return cast("object", json.loads(data.removeprefix(b"\xef\xbb\xbf").decode()))
    except RecursionError:
        raise InputError(f"{where}: nested too deeply for a log") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}: not UTF-8 text") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON, or truncated: {error}") from None


def text_of(path: Path) -> str:
    """Return the whole text of a file."""
    data = _contents(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None


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
                    "if you trust the file, decompress it first"
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
