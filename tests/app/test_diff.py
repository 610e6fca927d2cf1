"""Two answers to one case, side by side."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import UserError

HEADER = "model,suite,case,attempt,passed\n"


def imported(tmp_path: Path, name: str, *rows: str) -> Path:
    """Make a run of some outcomes."""
    file = tmp_path / f"{name}.csv"
    file.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    steelyard.import_files(file, tmp_path / name)
    return tmp_path / name


def test_a_case_of_one_suite_is_not_compared_with_its_namesake_in_another(tmp_path: Path) -> None:
    before = imported(tmp_path, "before", "m,a,0,0,true", "m,a,0,1,true", "m,b,0,0,false", "m,b,0,1,true")
    after = imported(tmp_path, "after", "m,a,0,0,true", "m,a,0,1,false", "m,b,0,0,false", "m,b,0,1,true")

    first, second = steelyard.diff_answers(before, after, "0")

    assert (first.suite, first.attempt) == (second.suite, second.attempt) == ("a", 1)
    assert (first.classification, second.classification) == ("pass", "fail")


def test_runs_of_one_model_each_are_compared_whatever_the_models_are_called(tmp_path: Path) -> None:
    before = imported(tmp_path, "before", "acme/one,a,0,0,true", "acme/one,a,0,1,true")
    after = imported(tmp_path, "after", "acme/two,a,0,0,true", "acme/two,a,0,1,false")

    first, second = steelyard.diff_answers(before, after, "0")

    assert (first.model, second.model) == ("acme/one", "acme/two")
    assert (first.classification, second.classification) == ("pass", "fail")


def test_several_models_without_one_in_common_are_not_guessed_at(tmp_path: Path) -> None:
    before = imported(tmp_path, "before", "one,a,0,0,true", "two,a,0,0,true")
    after = imported(tmp_path, "after", "three,a,0,0,true")

    with pytest.raises(UserError, match=r"share.*0"):
        steelyard.diff_answers(before, after, "0")
