"""Making outcomes of models whose true success rates are known."""

from pathlib import Path

import pytest

from steelyard.errors import InputError, UserError
from steelyard.sources.synthetic import DEFAULT_RATES, SyntheticPlan, write_synthetic
from tests.commands import written


def texts(folder: Path, plan: SyntheticPlan) -> dict[str, str]:
    """Write synthetic files and return what they hold."""
    return {path.name: path.read_bytes().decode() for path in write_synthetic(folder, plan)}


def test_one_file_of_problems_and_one_for_each_model_are_written(tmp_path: Path) -> None:
    found = texts(tmp_path / "new" / "folder", SyntheticPlan(problems=2, samples=3))

    assert list(found) == ["problems.csv", *(f"{model}_synthetic_fixes.csv" for model in DEFAULT_RATES)]
    assert found["problems.csv"] == (
        "oid,filename\nproblem-0000,module_0000/main.tf\nproblem-0001,module_0001/main.tf\n"
    )
    assert found["gemini_synthetic_fixes.csv"].splitlines()[0] == "oid,iteration_id,plausible_fix"
    assert found["gemini_synthetic_fixes.csv"].count("\n") == 1 + 2 * 3


def test_the_same_seed_gives_the_same_files_and_another_seed_others(tmp_path: Path) -> None:
    first, again, other = (
        texts(tmp_path / str(place), SyntheticPlan(seed=seed)) for place, seed in enumerate((5, 5, 6))
    )

    assert first == again
    assert first != other


def test_adding_a_model_changes_no_other_file(tmp_path: Path) -> None:
    alone = texts(tmp_path / "1", SyntheticPlan(rates={"a": 0.5}))
    both = texts(tmp_path / "2", SyntheticPlan(rates={"b": 0.1, "a": 0.5}))

    assert alone.items() <= both.items()


@pytest.mark.parametrize(("rate", "word"), [(0.0, "False"), (1.0, "True")])
def test_a_rate_of_0_never_passes_and_a_rate_of_1_always(tmp_path: Path, rate: float, word: str) -> None:
    text = texts(tmp_path, SyntheticPlan(rates={"m": rate}))["m_synthetic_fixes.csv"]

    assert {line.rpartition(",")[2] for line in text.splitlines()[1:]} == {word}


@pytest.mark.parametrize("plan", [SyntheticPlan(problems=0), SyntheticPlan(samples=0)])
def test_nothing_to_make_is_refused(tmp_path: Path, plan: SyntheticPlan) -> None:
    with pytest.raises(UserError, match="problem"):
        write_synthetic(tmp_path, plan)


@pytest.mark.parametrize("name", ["", " ", ".hidden", "a/b", "a\\b", "a\0b", "a\nb", "\udcff"])
def test_a_model_that_cannot_be_part_of_a_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"part.*file"):
        write_synthetic(tmp_path, SyntheticPlan(rates={name: 0.5}))


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_outside_0_to_1_is_refused(tmp_path: Path, rate: float) -> None:
    with pytest.raises(UserError, match="must be from 0 to 1"):
        write_synthetic(tmp_path, SyntheticPlan(rates={"m": rate}))


def test_a_folder_that_cannot_be_made_is_an_input_error(tmp_path: Path) -> None:
    file = written(tmp_path, "", "file")

    with pytest.raises(InputError, match="written"):
        write_synthetic(file, SyntheticPlan())
