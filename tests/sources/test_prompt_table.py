"""A table of prompts and tests becomes an eval set that validates."""

import re
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.sources.config.read import read_config
from tests.commands import typed, written


def made(tmp_path: Path, text: str) -> "steelyard.EvalSet":
    (path,) = steelyard.init(tmp_path, from_csv=written(tmp_path, text, "tasks.csv"))
    return steelyard.validate(path).eval_set


def test_each_row_is_a_case_with_its_tests(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        'task_id,question,test_code,tags\nadd,"Add ""two""\nnumbers.",assert add(1) == 2,"quick; sums"\n'
        ",Subtract.,assert sub(1) == 0,\n",
    )

    add, other = found.cases
    assert (add.id, add.language, add.tags) == ("add", "python", ("quick", "sums"))
    assert add.prompt == 'Add "two"\nnumbers.'
    assert add.expectations.tests == "assert add(1) == 2"
    assert other.id == "case-002"


def test_rows_without_a_suite_stand_beside_those_with_one(tmp_path: Path) -> None:
    found = made(tmp_path, "id,prompt,expected,suite\nyes,Say yes.,yes,words\nno,Say no.,no,\n")

    assert [case.suite for case in found.cases] == ["words", "default"]


def test_an_expected_text_needs_no_tests(tmp_path: Path) -> None:
    (one,) = made(tmp_path, "id,prompt,expected,suite\nyes,Say yes.,yes,words\n").cases

    assert (one.language, one.suite, dict(one.expectations.settings)) == ("text", "words", {"exact": "yes"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,tests\na,b\n", "prompts"),
        ("id,prompt\na,b\n", r"`tests`.*`expected`"),
        ("prompt,tests\n", "there is no row"),
        ("prompt,tests\n,b\n", r"1.*prompt"),
    ],
)
def test_what_cannot_be_a_set_says_why(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(tmp_path, text)


def test_init_writes_a_commented_configuration_and_keeps_one_that_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    written(second, "models = []\n", "steelyard.toml")

    assert "steelyard.toml" in typed(capsys, "init", first).out
    assert typed(capsys, "init", second).code == 0
    assert (second / "steelyard.toml").read_text(encoding="utf-8") == "models = []\n"
    assert all(
        line.startswith("#") or not line for line in (first / "steelyard.toml").read_text().splitlines()
    )


def test_the_commented_lines_of_the_configuration_are_valid_without_their_sign(tmp_path: Path) -> None:
    steelyard.init(tmp_path)
    lines = (tmp_path / "steelyard.toml").read_text(encoding="utf-8").splitlines()
    used = [line.removeprefix("# ") for line in lines if re.match(r"# (\[|\w+ = )", line)]

    found = read_config(written(tmp_path, "\n".join(used), "used.toml"))

    assert found.providers["lab"].base_url == "http://localhost:8000/v1"
    assert len(found.models) == 2


def test_two_columns_of_one_name_are_refused_whether_they_are_used_or_not(tmp_path: Path) -> None:
    for header in ("id,prompt,tests,Prompt", "id,prompt,tests,note,note"):
        with pytest.raises(
            InputError, match=r"line 1: the column name '\w+' occurs twice \(columns \d and \d\)"
        ):
            made(tmp_path, f"{header}\n1,a,assert f(),b,c\n")
