"""Wording what the engine says about a whole file."""

import gzip
import json
from pathlib import Path

import duckdb
import pytest

from steelyard.store.files import FileFormat, InputFile
from steelyard.store.unreadable import unreadable
from tests.commands import written

GOOD = '{"a": 1}\n'


def told(text: str, *names: str) -> str:
    """Return the message for an engine error about files of these names."""
    formats = {"csv": FileFormat.CSV, "jsonl": FileFormat.JSONL, "parquet": FileFormat.PARQUET}
    files = [InputFile(path=Path(name), format=formats[name.rpartition(".")[2]]) for name in names]
    return unreadable(files, duckdb.Error(text))


def test_the_file_that_the_engine_names_is_named() -> None:
    assert told("IO Error: cannot read aa.csv.", "a.csv", "aa.csv", "b.csv") == (
        "aa.csv: cannot be read (cannot read the file)"
    )


def test_where_the_engine_names_none_of_several_all_are_under_suspicion() -> None:
    assert told("IO Error: odd", "a.csv", "b.csv").startswith(
        "a.csv or one of the 1 other files: cannot be read (odd)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CSV Error on Line: 7\nExpected Number of Columns: 4 Found: 5", "x.csv, line 7: expected 4 columns"),
        (
            "CSV Error on Line: 7\nInvalid unicode (byte sequence mismatch)",
            "x.csv, line 7: is not UTF-8 text",
        ),
        ("CSV Error on Line: 7\nValue with unterminated quote found.", "x.csv, line 7: a quote is opened"),
        (
            "CSV Error on Line: 7\nMaximum line size of 9 bytes exceeded.",
            "x.csv, line 7: is longer than 16 MB",
        ),
        ("CSV Error on Line: 7\nsomething new", "x.csv, line 7: cannot be read as CSV"),
        ("The CSV state machine is confused", "x.csv: the line ends or quotes are mixed up"),
        ("", "x.csv: cannot be read (its bytes are not text)"),
    ],
)
def test_csv_errors_name_the_line(text: str, message: str) -> None:
    assert told(text, "x.csv").startswith(message)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Invalid Input Error: No magic bytes found at end of file 'x.parquet'",
            "found at end of file 'the file'",
        ),
        ("TProtocolException: \x0f\x01", "its bytes are not text"),
        ("IO Error: " + "long " * 100, "(long long"),
    ],
)
def test_parquet_errors_are_readable(text: str, words: str) -> None:
    message = told(text, "x.parquet")

    assert words in message
    assert message.endswith("; was it cut off, or is it still written?")
    assert len(message) < 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Input is not a GZIP stream: x.csv", "not a gzip file"),
        ("Unexpected end of GZIP stream", "damaged or truncated"),
    ],
)
def test_gzip_errors_say_what_to_do(text: str, words: str) -> None:
    assert words in told(text, "x.csv")


@pytest.mark.parametrize(
    "lines",
    [
        ["{bad\n"],
        [GOOD, "{bad\n", GOOD],
        [GOOD, "\n", GOOD, "{bad"],
        [*[GOOD] * 5000, '{"a": "\\ud800"}\n'],
        [GOOD, '\ufeff{"a": 1}\n'],
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_the_engines_line_of_bad_json_is_corrected(tmp_path: Path, lines: list[str], suffix: str) -> None:
    content = "".join(lines).encode()
    path = written(tmp_path, gzip.compress(content) if suffix else content, f"x.jsonl{suffix}")
    options = "format='newline_delimited', maximum_depth=1, sample_size=-1"
    bad = next(
        place for place, line in enumerate([line for line in lines if line.strip()], 1) if line != GOOD
    )

    with pytest.raises(duckdb.Error) as failure:
        duckdb.execute(f"FROM read_json('{path}', {options})").fetchall()
    message = unreadable([InputFile(path=path, format=FileFormat.JSONL)], failure.value)

    assert message.startswith(f"{path}, row {bad}: is not JSON (")


def test_the_engines_line_is_believed_where_the_line_before_it_is_good(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD * 3, "x.jsonl")
    error = duckdb.Error(f'Malformed JSON in file "{path}", at byte 2 in line 3: odd.')

    message = unreadable([InputFile(path=path, format=FileFormat.JSONL)], error)

    assert message.startswith(f"{path}, row 3: is not JSON (odd)")


def test_a_key_that_occurs_twice_is_named() -> None:
    text = 'JSON transform error in file "x.jsonl", in line 4: Object {"a":1,"a":2} has duplicate key "a"'

    assert told(text, "x.jsonl") == "x.jsonl, row 4: the key 'a' occurs twice; every key may occur once"


def test_very_deep_json_is_told_in_the_engines_words(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({"a": 1}) + "\n", "x.jsonl")

    message = unreadable(
        [InputFile(path=path, format=FileFormat.JSONL)],
        duckdb.Error("Invalid Input Error: JSON exceeds maximum recursion depth of 128"),
    )

    assert message == f"{path}: cannot be read (JSON exceeds maximum recursion depth of 128)"
