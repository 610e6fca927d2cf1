"""Reading the header line of delimited text."""

import gzip
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.store.headers import header
from tests.commands import written


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("a,b\n1,2\n", ("a", "b")),
        ("a,b", ("a", "b")),
        ("\ufeffa,b\n", ("a", "b")),
        ("a,b\r\n1,2\r\n", ("a", "b")),
        ("a,b\r1,2\r", ("a", "b")),
        (" a , b\n", ("a", "b")),
        (",a,\n", ("column0", "a", "column2")),
        ('"a,b","c ""d"""\n', ("a,b", 'c "d"')),
        ('"a\nb",c\n', ("a\nb", "c")),
        ("Größe,値\n", ("Größe", "値")),
        ("single\n1\n", ("single",)),
    ],
)
def test_names_are_read_as_they_are_meant(tmp_path: Path, content: str, names: tuple[str, ...]) -> None:
    assert header(written(tmp_path, content), delimiter=",").columns == names


def test_tabs_and_packed_files_are_read_too(tmp_path: Path) -> None:
    plain = written(tmp_path, "a\tb,c\n", "x.tsv")
    packed = written(tmp_path, gzip.compress(b"a,b\n", mtime=0), "x.csv.GZ")

    assert header(plain, delimiter="\t").columns == ("a", "b,c")
    assert header(packed, delimiter=",").columns == ("a", "b")


def test_bytes_below_the_header_are_not_its_business(tmp_path: Path) -> None:
    assert header(written(tmp_path, b"a,b\n\xe9,\0\n"), delimiter=",").columns == ("a", "b")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"empty.*line"),
        (b"\n", r"1.*blank"),
        (b" , \n", r"1.*blank"),
        (
            b"a,b,A\n",
            r"'a'.*rename",
        ),
        (b"Status,x,status, STATUS \n", "'Status'"),
        (b"x" + b",Note" * 9 + b"\n", "'Note'"),
        (b"a;b\n", r"1.*columns"),
        (b"\xe9,b\n", "line 1: is not UTF-8 text"),
        ("a,b\n".encode("utf-16"), r"UTF.*UTF"),
        ("a,b\n".encode("utf-16-be"), r"text.*file"),
        (b"a,\x01b\n", r"text.*file"),
        (b'a,"b\nc\n', r"1.*quote"),
        (b'a,"b"c\n', r"line.*1"),
        (b"a," + b"x" * 2000 + b"\n", r"2000.*characters"),
    ],
)
def test_a_header_that_cannot_be_trusted_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        header(written(tmp_path, content), delimiter=",")


def test_an_open_quote_does_not_make_us_read_the_whole_file(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,"b\n' + "x" * 2_000_000 + "\n" + "y" * 2_000_000 + "\n")

    with pytest.raises(InputError, match=r"quote.*opened"):
        header(path, delimiter=",")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n", r"packed.*gzip"),
        (gzip.compress(b"a,b\n" * 100, mtime=0)[:14], "damaged"),
        (gzip.compress(b"a,b\n" * 100, mtime=0)[:12] + b"\xff" * 40, "damaged"),
    ],
)
def test_packed_data_that_cannot_be_unpacked_are_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        header(written(tmp_path, content, "x.csv.gz"), delimiter=",")


def test_a_file_that_is_gone_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        header(tmp_path / "gone.csv", delimiter=",")


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a;b", ";"), ("a\tb", "\t"), ("a|b", "|"), ("a,b;c", ","), ('"a;b;c",d', ","), ("a", ",")],
)
def test_the_header_shows_what_separates_columns(tmp_path: Path, line: str, delimiter: str) -> None:
    assert header(written(tmp_path, f"{line}\n")).delimiter == delimiter


def test_columns_of_a_tsv_file_are_separated_by_tabs(tmp_path: Path) -> None:
    assert header(written(tmp_path, "a,b,c\td\n", "x.tsv")).columns == ("a,b,c", "d")
