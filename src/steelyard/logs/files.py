"""Read files of logs: plain or packed with gzip, JSON or one JSON object a line, never more than fits.

A log is untrusted: every size is bounded, and whatever is wrong with a file is an InputError with its place.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from steelyard.errors import InputError
from steelyard.logs.record import Record

HEAD = 65_536
LARGEST_FILE = 2 * 2**30  # bytes of one file, unpacked
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
    return _document(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _first(path: Path, _changed: int, _size: int) -> dict[str, object]:
    """Parse a line once, although every reader looks at it."""
    try:
        return _object(json.loads(next(_lines(path), b"")))
    except (ValueError, RecursionError, InputError):
        return {}


@lru_cache(maxsize=1)
def _document(path: Path, _changed: int, _size: int) -> object:
    """Parse a file once, although every reader looks at it."""
    with _opened(path) as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path}: larger than {LARGEST_FILE >> 30} GiB, unpacked; too large for a log")
    return parse(data, str(path))


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
    with _opened(path) as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path}: larger than {LARGEST_FILE >> 30} GiB, unpacked; too large for a log")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not UTF-8 text") from None


def _lines(path: Path) -> Iterator[bytes]:
    size = 0
    with _opened(path) as file:
        while line := file.readline(LARGEST_LINE + 1):
            size += len(line)
            if size > LARGEST_FILE:
                raise InputError(
                    f"{path}: larger than {LARGEST_FILE >> 30} GiB, unpacked; too large for a log"
                )
            if len(line) > LARGEST_LINE:
                raise InputError(
                    f"{path}: a line is longer than {LARGEST_LINE >> 20} MiB; too long for a log"
                )
            yield line


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            if packed:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: the gzip file is damaged or was cut off: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
