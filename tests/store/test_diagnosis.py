"""Saying which file, row and value made the counting fail."""

from pathlib import Path

import duckdb
import pytest

from steelyard.errors import InfrastructureError, InputError
from steelyard.model.options import ColumnMapping
from steelyard.store.database import connect
from steelyard.store.diagnosis import RowFault, explain_fault, locate_fault
from steelyard.store.files import InputFile, input_files
from steelyard.store.reading import Table, tables
from tests.store.counting import HEADER, counted, written

COSTS = HEADER.strip() + ",cost_usd\n"


def read(
    connection: duckdb.DuckDBPyConnection, *paths: Path
) -> tuple[tuple[InputFile, ...], tuple[Table, ...]]:
    """Look at files as the counting does."""
    files = input_files(paths)
    return files, tables(connection, files, ColumnMapping())


def test_the_first_bad_row_of_the_right_file_is_named(tmp_path: Path) -> None:
    one = written(tmp_path, COSTS + "a,c,0,True,1\na,c,1,True,2\n", "one.csv")
    two = written(tmp_path, COSTS + "a,d,0,True,1\na,d,1,True,dear\na,d,2,True,dearer\n", "two.csv")

    with pytest.raises(InputError, match=r"two\.csv, row 2.*'cost_usd'.*'dear'"):
        counted(one, two)


def test_the_right_file_is_named_among_several_formats(tmp_path: Path) -> None:
    one = written(tmp_path, COSTS + "a,c,0,True,1\n", "one.csv")
    two = written(tmp_path, '{"model": "a", "case": "d", "attempt": 0, "passed": "so so"}\n', "two.jsonl")

    with pytest.raises(InputError, match=r"two\.jsonl, row 1.*'passed'"):
        counted(one, two)


def test_rows_are_counted_where_cells_hold_line_breaks(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + 'a,"c\nd\ne",0,True\na,c,0,maybe\n')

    with pytest.raises(InputError, match=r"'passed'.*'maybe'"):
        counted(path)


def test_a_column_called_value_is_no_trouble(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,value\na,c,0,1\na,c,1,2\n")

    with pytest.raises(InputError, match=r"'value'.*'2'"):
        counted(path, naming=ColumnMapping(columns={"passed": "value"}))


def test_a_share_whose_square_is_too_large_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER.strip() + ",score\na,c,0,True,1\na,c,1,True,90000\n")

    with pytest.raises(InputError, match=r"'score'.*'90000'"):
        counted(path)


def test_a_long_value_is_shortened(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + f"a,c,0,{'x' * 500}\n")

    with pytest.raises(InputError, match=rf"is '{'x' * 60}… \(500 characters\)'; expected true or false"):
        counted(path)


def test_a_fault_may_speak_of_other_columns(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER.strip() + ",classification\na,c,0,True,pass\na,c,1,False,pass\n")

    with connect() as connection:
        _, found = read(connection, path)
        error = locate_fault(
            connection, found, RowFault("kind", "value = 'pass' AND passed = False", "but it failed")
        )

    assert str(error) == f"{path}, row 2: column 'classification' is 'pass'; but it failed"


def test_a_fault_that_no_row_shows_is_still_told(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\n")

    with connect() as connection:
        _, found = read(connection, path)
        error = locate_fault(connection, found, RowFault("passed", "value = false", "expected a failure"))

    assert str(error) == "passed: expected a failure"


def test_a_file_that_cannot_be_read_again_leaves_the_first_error(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\n")

    with connect() as connection:
        files, found = read(connection, path)
        path.unlink()
        error = explain_fault(
            connection, files, found, duckdb.ConversionException("Conversion Error: odd value")
        )

    assert isinstance(error, InputError)
    assert str(error) == f"{path}: cannot be read (odd value)"


def test_too_little_memory_is_not_the_users_fault(tmp_path: Path) -> None:
    error = duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate 1 GB\nmore")

    with connect() as connection:
        told = explain_fault(connection, (), (), error)

    assert isinstance(told, InfrastructureError)
    assert str(told) == "not enough memory to count these outcomes (failed to allocate 1 GB)"
