"""Explain why the engine cannot read a file; `diagnosis.py` locates bad values."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import duckdb

from steelyard.store.files import FileFormat, InputFile, open_bytes
from steelyard.store.json_object import rows_of_object
from steelyard.unpacking import LONGEST_LINE, is_parsable

SHOWN = 100  # characters of the engine's own words that a message shows


def unreadable(files: Sequence[InputFile], error: duckdb.Error) -> str:
    """Turn an engine error about a file into a message with the file and the remedy."""
    text = str(error)
    named = [file for file in files if str(file.path) in text]
    # The longest name: `a.csv` is also part of `aa.csv`.
    file = max(named, key=lambda file: len(str(file.path)), default=files[0])
    where = str(file.path)
    if not named and len(files) > 1:
        where += f" or one of the {len(files) - 1} other files"
    if "GZIP" in text:
        return f"{where}: {_gzip_problem(text)}"
    return where + _PROBLEMS[file.format](file.path, text)


def _gzip_problem(text: str) -> str:
    if "not a GZIP stream" in text:
        return "not a gzip file; remove the suffix .gz if it is plain text"
    return "the gzip data are damaged or truncated; download or write the file again"


def _parquet_problem(path: Path, text: str) -> str:
    return (
        f": is not a whole Parquet file ({_own_words(path, text)}); was it cut off, or is it still written?"
    )


def _json_problem(path: Path, text: str) -> str:
    malformed = re.search(r"Malformed JSON in file .*, at byte \d+ in line (\d+): ([^.\n]*)", text)
    if malformed:
        row = _bad_json_row(path, int(malformed[1]))
        return f", row {row}: is not JSON ({malformed[2].strip()}); expected one object on each line"
    repeated = re.search(r"in line (\d+): .* has duplicate key \"(.*)\"", text)
    if repeated:
        return f", row {repeated[1]}: the key {repeated[2]!r} occurs twice; every key may occur once"
    return f": cannot be read ({_own_words(path, text)})"


def _json_list_problem(path: Path, text: str) -> str:
    if "Expected top-level JSON array" in text:
        return f": {rows_of_object(path)}"
    return f": is not a JSON list of objects ({_own_words(path, text)})"


def _bad_json_row(path: Path, claimed: int) -> int:
    """Return the row with invalid JSON: DuckDB 2.0 reports one too many."""
    with open_bytes(path) as file:
        lines = iter(partial(file.readline, LONGEST_LINE), b"")
        rows = (line for line in lines if line.strip())
        before = next(islice(rows, max(0, claimed - 2), None), b"")
    if not is_parsable(before):
        return max(1, claimed - 1)
    try:
        json.dumps(json.loads(before.decode()), ensure_ascii=False).encode()  # halves of characters fail here
    except (ValueError, RecursionError):
        return max(1, claimed - 1)
    return claimed


def _csv_problem(path: Path, text: str) -> str:
    line = re.search(r"CSV Error on Line: (\d+)", text)
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if line and columns:
        return f", line {line[1]}: expected {columns[1]} columns as in the header, found {columns[2]}"
    if line:
        return f", line {line[1]}: {_line_problem(text.lower())}"
    if "state machine" in text:
        return ": the line ends or quotes are mixed up; save it as plain CSV with one kind of line end"
    return f": cannot be read ({_own_words(path, text)})"


def _line_problem(text: str) -> str:
    if "unicode" in text or "utf-8" in text:
        return "is not UTF-8 text; save the file as UTF-8"
    if "unterminated quote" in text:
        return "a quote is opened and not closed at the end of the cell; quotes inside a cell are doubled"
    if "maximum line size" in text:
        return "is longer than 16 MB"
    return "cannot be read as CSV"


def _own_words(path: Path, text: str) -> str:
    first = text.partition("\n")[0]
    words = (first.partition(": ")[2] or first).replace(str(path), "the file").strip().rstrip(".")
    printable = "".join(character for character in words if character.isprintable())
    return printable[:SHOWN] or "its bytes are not text"


_PROBLEMS: Mapping[FileFormat, Callable[[Path, str], str]] = {
    FileFormat.CSV: _csv_problem,
    FileFormat.TSV: _csv_problem,
    FileFormat.JSONL: _json_problem,
    FileFormat.JSON: _json_list_problem,
    FileFormat.PARQUET: _parquet_problem,
}
