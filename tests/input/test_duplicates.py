"""Edges of duplicates: an attempt is counted once, and contradictions stop the report."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.options import Duplicates
from tests.commands import scored, typed, written
from tests.input.scoring import HEADER, report_of, subject_of

TWICE = HEADER + "a,c,0,True\na,c,1,False\na,c,1,False\n"
CONFLICT = HEADER + "a,c,0,True\na,c,1,False\na,c,1,True\n"


def test_an_identical_duplicate_is_dropped_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, TWICE))

    subject = report["subjects"][0]
    assert (subject["samples"], subject["passed"], subject["coverage"]["duplicate"]) == (2, 1, 1)
    assert any("1 row equal to one that was counted and dropped" in text for text in report["warnings"])


def test_an_identical_duplicate_in_another_file_is_dropped_too(tmp_path: Path) -> None:
    first, second = written(tmp_path, TWICE, "1.csv"), written(tmp_path, HEADER + "a,c,0,True\n", "2.csv")

    subject = subject_of(steelyard.score_files([first, second]))

    assert (subject.samples, subject.coverage.duplicate) == (2, 2)


def test_a_conflicting_duplicate_stops_with_file_row_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, CONFLICT)

    shown = typed(capsys, "score", "outcomes.csv")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err == (
        "error: outcomes.csv, row 2 and outcomes.csv, row 3: both claim attempt 1 of case 'c' by 'a', "
        "and they disagree.\n"
        "Fix the files, or choose: --duplicates first (keep the earlier row) or --duplicates last.\n"
    )


@pytest.mark.parametrize(("policy", "passed"), [(Duplicates.FIRST, 1), (Duplicates.LAST, 2)])
def test_a_conflict_can_be_settled_by_the_first_or_the_last_row(
    tmp_path: Path, policy: Duplicates, passed: int
) -> None:
    report = report_of(tmp_path, CONFLICT, options=steelyard.ReportOptions(duplicates=policy))

    subject = subject_of(report)
    assert (subject.samples, subject.passed, subject.coverage.duplicate) == (2, passed, 1)
    assert any("in favour of" in warning for warning in report.warnings)


def test_the_same_attempt_of_another_case_model_or_tier_is_no_duplicate(tmp_path: Path) -> None:
    text = "model,tier,case,attempt,passed\na,T0,c,0,True\na,T1,c,0,False\na,T0,d,0,False\nb,T0,c,0,False\n"

    report = report_of(tmp_path, text)

    assert sum(subject.coverage.duplicate for subject in report.subjects) == 0
    assert sum(subject.samples for subject in report.subjects) == 4


def test_a_cost_that_differs_is_a_conflict_too(tmp_path: Path) -> None:
    text = "model,case,attempt,passed,cost_usd\na,c,0,True,1\na,c,0,True,2\n"

    with pytest.raises(steelyard.SteelyardError, match="they disagree"):
        report_of(tmp_path, text)
