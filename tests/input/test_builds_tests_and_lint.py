"""Edges of the build-test-lint score: no build, no tests, no linter."""

from pathlib import Path

import pytest

from tests.commands import scored, written
from tests.input.scoring import report_of, subject_of

HEADER = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings\n"


def test_a_build_that_fails_scores_0_whatever_else_is_said(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, HEADER + "a,c,0,False,5,0,0\n"))

    assert (subject.score.value, subject.passed) == (0.0, 0)
    assert subject.failures == {"build_error": 1}
    assert (subject.build_rate.value, subject.test_pass_rate.value) == (0.0, 0.0)


def test_without_tests_the_tests_part_is_0_and_the_report_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, HEADER + "a,c,0,True,0,0,0\n"))

    subject = report["subjects"][0]
    assert subject["score"]["value"] == 0.5
    assert (subject["passed"], subject["untested_samples"]) == (0, 1)
    assert any("ran no test" in warning for warning in report["warnings"])


def test_a_missing_linter_is_flagged_and_never_a_silent_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, HEADER + "a,c,0,True,1,1,\n"))

    subject = report["subjects"][0]
    assert subject["score"]["value"] == 0.722222  # (0.4 + 0.5 / 2) / 0.9, in whole micro-points
    assert subject["unlinted_samples"] == 1
    assert any("lint result" in warning for warning in report["warnings"])


def test_a_file_without_a_lint_column_is_flagged_too(tmp_path: Path) -> None:
    text = "model,case,attempt,built,tests_passed,tests_failed\na,c,0,True,2,0\n"

    subject = subject_of(report_of(tmp_path, text))

    assert (subject.score.value, subject.unlinted_samples) == (1.0, 1)


def test_lint_is_not_missed_under_a_rule_that_does_not_weigh_it(tmp_path: Path) -> None:
    text = "model,case,attempt,built,passed,score\na,c,0,True,True,1\n"

    assert subject_of(report_of(tmp_path, text)).unlinted_samples == 0


def test_lint_takes_no_part_in_passing(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, HEADER + "a,c,0,True,3,0,50\n"))

    assert (subject.passed, subject.score.value) == (1, 0.9)


def test_where_nobody_ran_tests_there_is_no_test_rate(tmp_path: Path) -> None:
    text = "model,case,attempt,built\na,c,0,True\na,c,1,False\n"

    subject = subject_of(report_of(tmp_path, text))

    assert (subject.build_rate.value, subject.test_pass_rate.value) == (0.5, None)


def test_a_median_of_only_some_samples_earns_no_grade(tmp_path: Path) -> None:
    text = "model,case,attempt,built,passed\na,c,0,True,True\na,c,1,False,False\n"

    subject = subject_of(report_of(tmp_path, text))

    assert (subject.score.value, subject.grade.letter) == (None, None)
