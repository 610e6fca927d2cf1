"""Reading fixes that nobody has validated, and writing what validation found."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.outcome import Classification
from steelyard.sources.fixes_file import fix_rows, outcome_table
from tests.commands import written

HEADER = "oid,iteration_id,llm_name,filename,fixed_file\n"


def test_a_cell_may_hold_a_whole_file(tmp_path: Path) -> None:
    terraform = 'resource "x" {\n' + "  a = 1\n" * 30_000 + "}\n"
    cell = terraform.replace('"', '""')

    (row,) = fix_rows(written(tmp_path, f'{HEADER}p,1,m,main.tf,"{cell}"\n'))

    assert row["fixed_file"] == terraform


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    (row,) = fix_rows(written(tmp_path, b"\xef\xbb\xbf" + HEADER.encode() + b"p,1,m,main.tf,x\n"))

    assert row["oid"] == "p"


@pytest.mark.parametrize("missing", ["oid", "iteration_id", "filename", "fixed_file"])
def test_a_column_that_validation_needs_is_named_when_it_is_missing(tmp_path: Path, missing: str) -> None:
    path = written(tmp_path, HEADER.replace(missing, "other"))

    with pytest.raises(InputError, match=f"nor the column '{missing}'"):
        fix_rows(path)


def test_an_empty_file_lacks_every_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'oid'"):
        fix_rows(written(tmp_path, ""))


@pytest.mark.parametrize("row", ["p,1,m,main.tf", "p,1,m,main.tf,x,more"])
def test_a_ragged_row_is_named(tmp_path: Path, row: str) -> None:
    path = written(tmp_path, f"{HEADER}p,1,m,main.tf,x\n{row}\n")

    with pytest.raises(InputError, match=r"2.*columns"):
        fix_rows(path)


@pytest.mark.parametrize(
    "content", [HEADER.encode() + b"p,1,m,main.tf,\xe9\n", HEADER.encode() + b'p,1,m,f,"x"y\n']
)
def test_what_is_no_csv_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="cannot be read as CSV"):
        fix_rows(written(tmp_path, content))


def test_outcomes_are_written_without_the_files_and_errors_stay_empty() -> None:
    row = {"oid": "p", "iteration_id": "1", "filename": "main.tf", "fixed_file": "secret"}
    found = [Classification.PASS, Classification.BUILD_ERROR, Classification.ERROR]

    text = outcome_table([row, {**row, "llm_name": "m"}, row], found)

    assert text == (
        "oid,iteration_id,llm_name,filename,plausible_fix\n"
        "p,1,,main.tf,True\n"
        "p,1,m,main.tf,False\n"
        "p,1,,main.tf,\n"
    )


def test_two_columns_of_one_name_are_refused_instead_of_taking_the_last(tmp_path: Path) -> None:
    path = written(tmp_path, "oid,iteration_id,llm_name,filename,fixed_file,fixed_file\np,1,m,main.tf,x,y\n")

    with pytest.raises(InputError, match="'fixed_file'"):
        fix_rows(path)
