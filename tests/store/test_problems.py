"""Reading the list of cases that should have been answered."""

from pathlib import Path

import duckdb
import pytest

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping
from steelyard.model.state import ExpectedCase
from steelyard.store.problems import expected_cases
from tests.store.counting import written


@pytest.mark.parametrize("column", ["oid", "case", "case_id", "task_id"])
def test_the_names_are_found_under_any_name_of_a_case(tmp_path: Path, column: str) -> None:
    path = written(tmp_path, f"{column},filename\np1,a.tf\np2,b.tf\np1,c.tf\n")

    assert expected_cases(path) == {ExpectedCase(None, "p1"), ExpectedCase(None, "p2")}


def test_suites_are_read_where_they_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, "suite,case\ns,p1\n,p2\n")

    assert ExpectedCase("s", "p1") in expected_cases(path)


@pytest.mark.parametrize("name", ["problems.jsonl", "problems.parquet"])
def test_other_formats_are_read_too(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, '{"oid": 7}\n', name)
    if name.endswith("parquet"):
        duckdb.execute(f"COPY (SELECT 7 AS oid) TO '{path}' (FORMAT parquet)")

    assert expected_cases(path) == {ExpectedCase(None, "7")}


def test_whatever_else_the_file_holds_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path, "oid,passed,cost,estimated_cost_usd\np1,perhaps,dear,NaN\n")

    assert expected_cases(path) == {ExpectedCase(None, "p1")}


def test_a_column_chosen_for_the_outcomes_counts_where_it_is_there(tmp_path: Path) -> None:
    naming = ColumnMapping(columns={"case": "mine", "passed": "ok"})
    both, other = written(tmp_path, "mine,oid\na,b\n", "1.csv"), written(tmp_path, "oid\nb\n", "2.csv")

    assert expected_cases(both, naming) == {ExpectedCase(None, "a")}
    assert expected_cases(other, naming) == {ExpectedCase(None, "b")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oid\n", "lists no cases"),
        ("name\nx\n", "column"),
        ("oid,file\np1,a\n,b\n", "'oid'"),
        ("oid,file\np1,a,b\n", r"2.*2.*columns"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        expected_cases(written(tmp_path, text))
