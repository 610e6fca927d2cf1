"""Edges of weights and grades: zero weights are refused, cuts are exact."""

from pathlib import Path

import pytest

import steelyard
from tests.commands import scored, typed, written
from tests.input.scoring import HEADER, report_of, subject_of

RATED = "model,case,attempt,passed,impl_rate\na,c,0,True,0.5\n"


@pytest.mark.parametrize("parts", [("pass", "impl"), ("build", "tests", "lint")])
def test_weights_that_sum_to_0_are_a_configuration_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], parts: tuple[str, ...]
) -> None:
    rule = "composite" if "impl" in parts else "build-test-lint"
    text = "model,case,attempt,built,tests_passed,tests_failed,passed,impl_rate\na,c,0,True,1,0,True,1\n"
    weights = [word for part in parts for word in ("--weight", f"{part}=0")]

    shown = typed(capsys, "score", written(tmp_path, text), "--scoring", rule, *weights)

    assert (shown.code, shown.out) == (2, "")
    assert "sum to 0" in shown.err


def test_0_3_plus_0_35_grades_d(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, RATED)

    report = scored(capsys, path, "--weight", "pass=0.3", "--weight", "impl=0.7")

    assert report["subjects"][0]["score"]["value"] == 0.65
    assert report["subjects"][0]["grade"]["letter"] == "D"


def test_a_median_halfway_between_two_scores_is_exact(tmp_path: Path) -> None:
    text = "model,case,attempt,passed,score\na,c,0,True,0.6\na,c,1,True,0.7\n"

    assert (0.6 + 0.7) / 2 < 0.65  # what a float would make of it
    assert subject_of(report_of(tmp_path, text)).grade.letter == "D"


@pytest.mark.parametrize(
    ("score", "letter"),
    [
        ("0.95", "A"),
        ("0.949999", "B"),
        ("0.85", "B"),
        ("0.75", "C"),
        ("0.65", "D"),
        ("0.649999", "F"),
    ],
)
def test_a_cut_belongs_to_the_higher_grade(tmp_path: Path, score: str, letter: str) -> None:
    text = f"model,case,attempt,passed,score\na,c,0,True,{score}\n"

    assert subject_of(report_of(tmp_path, text)).grade.letter == steelyard.letter_grade(score) == letter


def test_without_evidence_there_is_no_grade(tmp_path: Path) -> None:
    assert subject_of(report_of(tmp_path, HEADER + "a,c,0,\n")).grade.letter is None
