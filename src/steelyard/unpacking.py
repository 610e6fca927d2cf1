"""Read packed files in bounded memory: a few KB can unpack to gigabytes, and JSON grows when it is parsed."""

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from steelyard.errors import InputError

MIB = 1 << 20
LARGEST_UNPACKED = 128 * MIB  # bytes of a file that is packed with gzip
LARGEST_PARSED = 160 * MIB  # memory for the text and the values of one JSON document
LONGEST_LINE = 32 * MIB  # of a packed log
LONGEST_ROW = 2 * MIB  # of a packed table
CHUNK = MIB
VALUE_BYTES = 80  # of a value that takes one character, such as an empty list
_ASTRAL = re.compile(rb"[\xf0-\xf4]|\\u[dD][89abAB]")  # characters of four bytes, plain or escaped


@contextmanager
def open_gzip(file: IO[bytes], path: Path, *, largest: int = LARGEST_UNPACKED) -> Iterator[IO[bytes]]:
    """Open the contents of a packed file; reading more than `largest` bytes raises InputError."""
    try:
        with (
            gzip.GzipFile(fileobj=file) as packed,
            io.BufferedReader(_Bounded(packed, path, largest)) as reader,
        ):
            yield reader
    except gzip.BadGzipFile:
        raise InputError(f"{path}: is not packed with gzip; take off the .gz if it is plain text") from None
    except (EOFError, zlib.error) as error:
        raise InputError(f"{path}: the gzip data are damaged or cut off ({error}); fetch it again") from None


class _Bounded(io.RawIOBase):
    """The bytes of a packed file, up to a number of them."""

    def __init__(self, packed: gzip.GzipFile, path: Path, largest: int) -> None:
        self._packed, self._path, self._remaining = packed, path, largest
        self._largest = largest

    def readable(self) -> bool:  # type: ignore[explicit-override]  # not in Python 3.11
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[explicit-override, override]
        """Fill a buffer."""
        data = self._packed.read(len(buffer))
        self._remaining -= len(data)
        if self._remaining < 0:
            raise InputError(
                f"{self._path}: unpacks to more than {self._largest // MIB} MiB; "
                "if you trust it, unpack it (`gunzip -k`) and give the plain file"
            )
        buffer[: len(data)] = data
        return len(data)


def require_short_rows(table: IO[bytes], path: Path, *, quoted: bool) -> None:
    """Refuse a packed table in which a row fills a whole chunk; no other row exceeds LONGEST_ROW.

    With `quoted`, line ends between double quotes belong to a cell.
    """
    line, is_quoted = 1, False
    while len(chunk := table.read(CHUNK)) == CHUNK:
        pieces = chunk.split(b'"') if quoted else [chunk]
        if not any(b"\n" in piece or b"\r" in piece for piece in pieces[is_quoted::2]):
            raise InputError(
                f"{path}, line {line}: the row is longer than {CHUNK // MIB} MB, the limit of packed tables; "
                "if you trust it, unpack it (`gunzip -k`) and give the plain file"
            )
        is_quoted ^= len(pieces) % 2 == 0
        line += chunk.count(b"\n")


def text_memory(data: bytes) -> int:
    """Return the most memory that a text takes: its widest character decides about all of them."""
    return _width(data) * len(data)


def _width(data: bytes) -> int:
    if _ASTRAL.search(data):
        return 4
    return 1 if data.isascii() and b"\\u" not in data else 2


class ParsedSize:
    """About how much memory it takes to parse a JSON document, of which the parts come one by one."""

    def __init__(self) -> None:
        self._length = self._values = 0
        self._width = 1

    def add(self, part: bytes) -> None:
        """Count a part."""
        self._length += len(part)
        self._values += sum(part.count(separator) for separator in (b",", b"[", b"{", b":"))
        self._width = max(self._width, _width(part))

    @property
    def memory(self) -> int:
        """The bytes, the text, the texts in it, and the values."""
        return self._length * (1 + 2 * self._width) + VALUE_BYTES * self._values

    @property
    def is_small(self) -> bool:
        """Whether it may be parsed."""
        return self.memory <= LARGEST_PARSED


def is_parsable(data: bytes) -> bool:
    """Whether a JSON document from a packed file may be parsed."""
    size = ParsedSize()
    size.add(data)
    return size.is_small


def require_parsable(data: bytes, where: str) -> None:
    """Refuse a JSON document that would take too much memory."""
    if not is_parsable(data):
        raise _too_large(where)


def read_parsable(file: IO[bytes], where: str) -> bytes:
    """Read a JSON document from a packed file; one that would take too much memory is not read to its end."""
    size, content = ParsedSize(), bytearray()
    while part := file.read(CHUNK):
        size.add(part)
        if not size.is_small:
            raise _too_large(where)
        content += part
    return bytes(content)


def _too_large(where: str) -> InputError:
    return InputError(
        f"{where}: to parse it would take more than {LARGEST_PARSED // MIB} MiB of memory, the limit for "
        "packed data; if you trust it, unpack it and give the plain file"
    )
