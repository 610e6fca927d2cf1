"""Parquet files that are cut off, damaged, or hold other types than numbers and names."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tests.input.broken import HEADER, ROW, Broken, of_file

FILE = "outcomes.parquet"
NOT_WHOLE = "is not a whole Parquet file"
ROWS = "SELECT 'a' AS model, 'c' AS \"case\", i AS attempt, true AS passed FROM range(1000) t(i)"
ONE_ROW = "SELECT 'a' AS model, 'c' AS \"case\", 0 AS attempt, true AS passed"


@cache
def parquet(sql: str) -> bytes:
    """Return a Parquet file that holds what a query gives."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        duckdb.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")
        return path.read_bytes()


def good_parquet() -> bytes:
    """Return a Parquet file that can be scored."""
    return parquet(ROWS)


def one_row(sql: str, column: str) -> bytes:
    """Return a Parquet file of one good row with one more column."""
    return parquet(f"{ONE_ROW}, {sql} AS {column}")


def cut_off(at: int) -> Broken:
    """Return a Parquet file of which only the first bytes are there (the last ones left out, if negative)."""
    says = (NOT_WHOLE, "was it cut off")
    return of_file(f"Parquet cut off at {at}", lambda: good_parquet()[:at], ": ", *says, file=FILE)


def damaged(name: str, *, start: int, size: int) -> Broken:
    """Return a Parquet file with some bytes overwritten."""

    def content() -> bytes:
        good = good_parquet()
        place = start if start >= 0 else len(good) + start
        return good[:place] + b"\xff" * size + good[place + size :]

    return of_file(name, content, ": ", NOT_WHOLE, file=FILE)


def of_type(sql: str, column: str, *says: str) -> Broken:
    """Return a Parquet file with one more column, of a type that the column cannot be of."""
    where = f": column '{column}' holds "
    return of_file(f"Parquet {column} = {sql[:30]}", lambda: one_row(sql, column), where, *says, file=FILE)


def of_number(sql: str, column: str, found: str, *says: str) -> Broken:
    """Return a Parquet file with one number that is out of range."""
    where = f", row 1: column '{column}' is '{found}'; expected "
    return of_file(f"Parquet {column} = {sql}", lambda: one_row(sql, column), where, *says, file=FILE)


WHOLE_FILES = (
    of_file("Parquet of 0 bytes", b"", ": ", NOT_WHOLE, file=FILE),
    of_file("junk named .parquet", b"this is no Parquet file at all\n" * 20, ": ", NOT_WHOLE, file=FILE),
    of_file("junk between Parquet marks", b"PAR1" + b"junk" * 100 + b"PAR1", ": ", NOT_WHOLE, file=FILE),
    of_file("CSV named .parquet", HEADER + ROW, ": ", NOT_WHOLE, file=FILE),
    *(cut_off(at) for at in (1, 8, 500, -500, -9, -1)),
    damaged("Parquet with damaged data", start=20, size=200),
    damaged("Parquet with a damaged footer", start=-200, size=100),
    Broken(
        name="Parquet without rows",
        files={FILE: lambda: parquet(f"{ROWS} WHERE false")},
        argv=("score", FILE),
        where="error: ",
        says=("holds no outcomes",),
    ),
    of_file(
        "Parquet with an empty case",
        lambda: parquet("SELECT 'a' AS model, NULL::VARCHAR AS \"case\", 0 AS attempt, true AS passed"),
        ", row 1: column 'case' is empty; ",
        "every row needs a case",
        file=FILE,
    ),
)

TYPES = (
    of_type("[1, 2]", "tokens_in", "integer[] values", "expected a whole number from 0"),
    of_type("{'mean': 1}", "score", "struct(", "expected a number from 0 to 1"),
    of_type("TIMESTAMP '2026-01-02'", "cost_usd", "timestamp values", "expected a number from 0"),
    of_type("DATE '2026-01-02'", "latency_s", "date values", "expected a number from 0"),
    of_type("true", "tokens_out", "boolean values", "expected a whole number from 0"),
    of_type("'ff'::BLOB", "suite", "blob values", "expected a name"),
    of_type("['x']", "tier", "varchar[] values", "expected a name"),
    of_type("1", "classification", "integer values", "expected one of pass, fail"),
    of_type(
        "{" + ", ".join(f"'member_{place}': 1" for place in range(100)) + "}",
        "impl_rate",
        "struct(",
        "… values; expected a number from 0 to 1",
    ),
    of_number("'NaN'::DOUBLE", "score", "nan", "a number from 0 to 1"),
    of_number("'Infinity'::DOUBLE", "cost_usd", "inf", "a number from 0 to 999999999"),
    of_number("1e308::DOUBLE", "cost_usd", "1e+308", "a number from 0 to 999999999"),
    of_number("1e5::DOUBLE", "score", "100000.0", "a number from 0 to 1"),
    of_number("1.5::DOUBLE", "score", "1.5", "a number from 0 to 1"),
    of_number("1.5::DOUBLE", "impl_rate", "1.5", "a number from 0 to 1"),
    of_number("1.5::DOUBLE", "tokens_in", "1.5", "a whole number from 0"),
    of_number("-1::DOUBLE", "latency_s", "-1.0", "a number from 0"),
    of_number("-1::INTEGER", "tokens_out", "-1", "a number from 0"),
    of_number("18446744073709551615::UBIGINT", "tokens_in", "18446744073709551615", "a whole number"),
    of_file(
        "Parquet passed = 2",
        lambda: parquet("SELECT 'a' AS model, 'c' AS \"case\", 0 AS attempt, 2 AS passed"),
        ", row 1: column 'passed' is '2'; ",
        "expected true or false",
        file=FILE,
    ),
)
