"""Read and validate the header line of a delimited text file.

The engine's own detection takes a ragged row for the header and silently drops all rows above it.
"""

import csv
import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from steelyard.errors import InputError
from steelyard.model.column_names import repeated_column
from steelyard.store.files import COMPRESSED

HEADER_LIMIT = 1_048_576  # characters; a longer first line is no header
MOST_COLUMNS = 1_000
NAME_LIMIT = 1000  # characters; a longer name is no name
POSSIBLE = (",", ";", "\t", "|")  # what may separate columns
CONTROL = re.compile("[\0-\x08\x0e-\x1f]")
UTF16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")  # its byte-order marks, as UTF-8 sees them


class Header(NamedTuple):
    """The column names of a delimited text file, and what separates them."""

    columns: tuple[str, ...]
    delimiter: str


NO_HEADER = Header((), "")


def header(path: Path, *, delimiter: str | None = None) -> Header:
    """Return the header of a delimited text file, detecting its delimiter."""
    with _mapped_errors(path), _open(path) as file:
        line = file.readline(HEADER_LIMIT)
        while _has_open_quote(line) and len(line) < HEADER_LIMIT and (more := file.readline(HEADER_LIMIT)):
            line += more
        _require_utf8(path, line)
        if _has_open_quote(line):
            raise InputError(f"{path}, line 1: a quote is opened and never closed")
        between = delimiter or _delimiter(path, line)
        names = next(csv.reader([line], delimiter=between, strict=True), [])
    _require_usable(path, names, line)
    # pandas leaves the name of the index column empty.
    columns = tuple(name.strip() or f"column{index}" for index, name in enumerate(names))
    return Header(columns, between)


def _delimiter(path: Path, line: str) -> str:
    """Return the delimiter: a tab in a .tsv file, else the most frequent one outside quotes."""
    if path.name.lower().removesuffix(COMPRESSED).endswith(".tsv"):
        return "\t"
    bare = re.sub('"[^"]*"', "", line)
    return max(POSSIBLE, key=bare.count)  # the first of those that occur equally often, commas before others


def _has_open_quote(line: str) -> bool:
    return line.count('"') % 2 == 1


def _open(path: Path) -> IO[str]:
    # Invalid UTF-8 becomes surrogates: read-ahead may reach later lines, which are not checked here.
    if path.suffix.lower() == COMPRESSED:
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline=None)
    return path.open("rt", encoding="utf-8-sig", errors="surrogateescape", newline=None)


@contextmanager
def _mapped_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except csv.Error as error:
        raise InputError(f"{path}, line 1: the header cannot be read ({error})") from None
    except gzip.BadGzipFile:
        raise InputError(f"{path}: not a gzip file; remove the suffix .gz if it is plain text") from None
    except (EOFError, zlib.error) as error:
        raise InputError(
            f"{path}: the gzip data are damaged or truncated ({error}); download it again"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None


def _require_utf8(path: Path, line: str) -> None:
    if line.startswith(UTF16_MARKS):
        raise InputError(f"{path}: is UTF-16 text; save it as UTF-8")
    if CONTROL.search(line):
        raise InputError(f"{path}: is not a text file (it holds control characters); save it as UTF-8 text")
    if not line.isprintable() and any("\udc80" <= character <= "\udcff" for character in line):
        raise InputError(f"{path}, line 1: is not UTF-8 text; save the file as UTF-8")


def _require_usable(path: Path, names: list[str], line: str) -> None:
    if not line:
        raise InputError(f"{path}: is empty; expected a header line with column names")
    if not any(name.strip() for name in names):
        raise InputError(f"{path}, line 1: is blank; expected column names")
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{path}, line 1: has {len(names):,} columns, and at most {MOST_COLUMNS:,} are read; "
            "give the results of many cases as rows"
        )
    repeated = repeated_column(names)
    if repeated:
        raise InputError(
            f"{path}, line 1: {repeated}; every column needs its own name: rename or remove all but one"
        )
    longest = max(map(len, names))
    if longest > NAME_LIMIT:
        raise InputError(f"{path}, line 1: a column name of {longest} characters; is this the header line?")
    if len(names) == 1 and any(other in line for other in POSSIBLE):
        raise InputError(
            f"{path}, line 1: is one column; say what separates columns, such as --delimiter ';'"
        )
