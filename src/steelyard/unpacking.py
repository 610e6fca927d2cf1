"""Read packed files in bounded memory: a few KB can unpack to gigabytes, and parsed JSON grows."""

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
LARGEST_UNPACKED = 128 * MIB  # bytes of a gzip file
LARGEST_PARSED = 160 * MIB  # memory for the text and values of one JSON document
LONGEST_LINE = 32 * MIB  # of a packed log
LONGEST_ROW = 2 * MIB  # of a packed table
CHUNK = MIB
VALUE_BYTES = 80  # of a value written as one or two characters, such as an empty list
_ASTRAL = re.compile(rb"[\xf0-\xf4]|\\u[dD][89abAB]")  # characters of four bytes, plain or escaped


@contextmanager
def open_gzip(file: IO[bytes], path: Path, *, largest: int = LARGEST_UNPACKED) -> Iterator[IO[bytes]]:
    """Unpack a gzip file as a stream; reading more than `largest` bytes raises InputError."""
    try:
        with (
            gzip.GzipFile(fileobj=file) as packed,
            io.BufferedReader(_Bounded(packed, path, largest)) as reader,
        ):
            yield reader
    except gzip.BadGzipFile:
        raise InputError(f"{path}: not a gzip file; remove the suffix .gz if it is plain text") from None
    except (EOFError, zlib.error) as error:
        raise InputError(
            f"{path}: the gzip data are damaged or truncated ({error}); download it again"
        ) from None


class _Bounded(io.RawIOBase):
    """An unpacked stream with a limit."""

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
                "if you trust it, unpack it (`gunzip -k`) and pass the plain file"
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
                "if you trust it, unpack it (`gunzip -k`) and pass the plain file"
            )
        is_quoted ^= len(pieces) % 2 == 0
        line += chunk.count(b"\n")


def text_memory(data: bytes) -> int:
    """Return an upper bound of a text's memory: its widest character determines the width of all."""
    return _width(data) * len(data)


def _width(data: bytes) -> int:
    if _ASTRAL.search(data):
        return 4
    return 1 if data.isascii() and b"\\u" not in data else 2


class ParsedSize:
    """An estimate of the memory to parse a JSON document that arrives in parts."""

    def __init__(self) -> None:
        self._length = self._values = 0
        self._width = 1

    def add(self, part: bytes) -> None:
        """Add a part."""
        self._length += len(part)
        self._values += sum(part.count(separator) for separator in (b",", b"[", b"{", b":"))
        self._width = max(self._width, _width(part))

    @property
    def memory(self) -> int:
        """The estimate: bytes, text, the strings in it, and values."""
        return self._length * (1 + 2 * self._width) + VALUE_BYTES * self._values

    @property
    def is_small(self) -> bool:
        """Whether the document may be parsed."""
        return self.memory <= LARGEST_PARSED


def is_parsable(data: bytes) -> bool:
    """Whether a JSON document from a packed file may be parsed."""
    size = ParsedSize()
    size.add(data)
    return size.is_small


def require_parsable(data: bytes, where: str) -> None:
    """Raise InputError for a JSON document that would take too much memory."""
    if not is_parsable(data):
        raise _too_large(where)


def read_parsable(file: IO[bytes], where: str) -> bytes:
    """Read a packed JSON document; raise InputError as soon as it would take too much memory."""
    size, content = ParsedSize(), bytearray()
    while part := file.read(CHUNK):
        size.add(part)
        if not size.is_small:
            raise _too_large(where)
        content += part
    return bytes(content)


def _too_large(where: str) -> InputError:
    return InputError(
        f"{where}: parsing would take more than {LARGEST_PARSED // MIB} MiB of memory, the limit for "
        "packed data; if you trust it, unpack it and pass the plain file"
    )
