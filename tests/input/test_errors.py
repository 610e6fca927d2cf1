"""Edges of evidence: what tells about the model, and what tells only about us."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from steelyard.model.options import Errors
from tests.commands import scored, typed, written
from tests.input.scoring import HEADER, report_of, subject_of, values

KINDS = "model,case,attempt,classification\n"


def test_an_empty_plausible_fix_is_no_evidence_and_counted_as_errored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixes = "oid,iteration_id,plausible_fix\np,1,True\np,2,\np,3,False\n"

    report = scored(capsys, written(tmp_path, fixes, "m_fixes.csv"))

    subject = report["subjects"][0]
    assert (subject["samples"], subject["passed"], subject["coverage"]["errored"]) == (2, 1, 1)
    assert any("1 sample ended" in warning for warning in report["warnings"])


def test_a_timeout_of_the_answer_is_a_failed_attempt_and_counts_in_n(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, KINDS + "a,c,0,pass\na,c,1,timeout\n"))

    assert (subject.samples, subject.passed) == (2, 1)
    assert subject.failures == {"timeout": 1}
    assert values(subject.pass_at_k) == {1: 0.5}


def test_our_own_failure_is_excluded_from_n_and_reported(tmp_path: Path) -> None:
    report = report_of(tmp_path, KINDS + "a,c,0,pass\na,c,1,error\n")

    subject = subject_of(report)
    assert (subject.samples, subject.passed, subject.coverage.errored) == (1, 1, 1)
    assert values(subject.pass_at_k) == {1: 1.0}
    assert any("evidence" in warning for warning in report.warnings)


def test_our_own_failure_can_be_counted_as_the_models(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(errors=Errors.FAIL)

    subject = subject_of(report_of(tmp_path, KINDS + "a,c,0,pass\na,c,1,error\n", options=options))

    assert (subject.samples, subject.passed, subject.coverage.errored) == (2, 1, 1)
    assert (subject.score.value, values(subject.pass_at_k)) == (0.5, {1: 0.5})
    assert (subject.spreads.score.median, subject.spreads.score.count) == (0.5, 2)


def test_a_case_of_nothing_but_errors_leaves_the_mean_undefined_and_says_so(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, HEADER + "a,c,0,True\na,d,0,\n"))

    assert (subject.score.value, subject.score.reason) == (None, Reason.NO_SAMPLES)
    assert subject.score.detail == "1 of 2 cases have no evidence"
    assert subject.pass_rate.value is None


def test_a_case_of_nothing_but_errors_scores_0_when_errors_count_as_failures(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(errors=Errors.FAIL)

    subject = subject_of(report_of(tmp_path, HEADER + "a,c,0,True\na,d,0,\n", options=options))

    assert (subject.score.value, subject.pass_rate.value) == (0.5, 0.5)


def test_the_command_line_shows_how_errors_were_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, KINDS + "a,c,0,pass\na,c,1,error\n")

    left_out, failed = (
        typed(capsys, "score", path, "--details", "--errors", policy).out for policy in ("exclude", "fail")
    )

    assert "errored samples are left out" in left_out
    assert "1 errored" in left_out
    assert "errored samples count as failures" in failed
