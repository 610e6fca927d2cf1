"""Read the records of a benchmark from its files: JSON, JSON lines, CSV, or the files in an archive.

What the records mean is the business of `benchmarks/`.
"""

import csv
import io
import json
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import InputError
from steelyard.model.benchmark import FILE_KEY, Record
from steelyard.model.column_names import repeated_column
from steelyard.unpacking import open_gzip

LARGEST_DATA = 1 << 30  # bytes of a packed file, which has a known digest or is the user's own
LARGEST_MEMBER = 4 << 20  # bytes of a file in an archive; larger ones are no source text


def read_records(path: Path) -> Iterator[Record]:
    """Give the records of a file, each with the name of the file, or say why it cannot be read."""
    readers = [read for suffix, read in READERS.items() if path.name.endswith(suffix)]
    if not readers:
        raise InputError(f"{path}: is none of {', '.join(READERS)}; name a file of the benchmark")
    try:
        for record in readers[0](path):
            yield {FILE_KEY: path.name, **record}
    except (OSError, EOFError, ValueError, csv.Error, tarfile.TarError) as error:
        raise InputError(f"{path}: cannot be read as a file of a benchmark: {error}") from error


def _text(path: Path) -> str:
    with path.open("rb") as file:
        if path.suffix != ".gz":
            return file.read().decode("utf-8")
        with open_gzip(file, path, largest=LARGEST_DATA) as unpacked:
            return unpacked.read().decode("utf-8")


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    # Not `splitlines`: a text of JSON may hold characters that it takes for line ends.
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            yield _table(json.loads(line), f"line {number}")


def _whole(path: Path) -> Iterator[Mapping[str, Any]]:
    text = _text(path)
    try:
        result = json.loads(text)
    except json.JSONDecodeError:
        yield from _lines(path)  # many a `.json` holds JSON lines
        return
    listed = (
        result
        if isinstance(result, list)
        else list(result.values())
        if isinstance(result, dict)
        else [result]
    )
    for number, record in enumerate(listed, start=1):
        yield _table(record, f"record {number}")


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    csv.field_size_limit(sys.maxsize)
    reader = csv.DictReader(io.StringIO(_text(path), newline=""))
    if repeated := repeated_column(reader.fieldnames or ()):
        raise InputError(f"{path}, line 1: {repeated}; this is not the file that the benchmark has")
    yield from reader


def _members(path: Path) -> Iterator[Mapping[str, Any]]:
    """Give the text files of an archive; nothing is written anywhere."""
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.size <= LARGEST_MEMBER else None
            if file is not None:
                data = file.read()
                if b"\0" not in data:
                    yield {"path": member.name, "text": data.decode("utf-8", "replace")}


def _table(record: object, where: str) -> Mapping[str, Any]:
    if not isinstance(record, dict):
        raise InputError(f"{where}: expected a table, found {type(record).__name__}")
    return record


READERS: Mapping[str, Callable[[Path], Iterator[Mapping[str, Any]]]] = {
    ".jsonl": _lines,
    ".jsonl.gz": _lines,
    ".json": _whole,
    ".json.gz": _whole,
    ".csv": _rows,
    ".tar.gz": _members,
    ".tgz": _members,
}
