"""Edges of coverage: cases that nobody answered, and answers to cases that nobody listed."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.options import Missing
from tests.commands import scored, typed, written
from tests.input.scoring import HEADER, report_of, subject_of, values

ROWS = HEADER + "a,c1,0,True\na,c1,1,True\n"
PROBLEMS = "oid,filename\nc1,x.tf\nc2,y.tf\n"


def test_a_problem_without_attempts_counts_as_failed_by_default(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, ROWS, problems=PROBLEMS))

    assert values(subject.pass_at_k) == {1: 0.5}
    assert (subject.score.value, subject.pass_rate.value) == (0.5, 0.5)
    assert (subject.coverage.expected, subject.coverage.seen, subject.coverage.missing) == (2, 1, 1)
    assert subject.coverage.missing_cases == ("c2",)


def test_a_missing_problem_counts_as_failed_for_every_k(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(pass_k=(1, 2))

    subject = subject_of(report_of(tmp_path, ROWS, problems=PROBLEMS, options=options))

    assert values(subject.pass_at_k) == {1: 0.5, 2: 0.5}


def test_a_missing_problem_can_be_skipped_and_is_still_counted_as_missing(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(missing=Missing.SKIP)

    report = report_of(tmp_path, ROWS, problems=PROBLEMS, options=options)

    subject = subject_of(report)
    assert (values(subject.pass_at_k), subject.score.value) == ({1: 1.0}, 1.0)
    assert subject.coverage.missing == 1
    assert any("left out of every mean" in warning for warning in report.warnings)


def test_a_missing_problem_can_stop_the_report(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(missing=Missing.ERROR)

    with pytest.raises(steelyard.SteelyardError, match="1 expected case has no outcome: 'c2'"):
        report_of(tmp_path, ROWS, problems=PROBLEMS, options=options)


@pytest.mark.parametrize("policy", ["fail", "skip"])
def test_every_report_has_a_coverage_line_whatever_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    problems = written(tmp_path, PROBLEMS, "problems.csv")

    shown = typed(capsys, "score", written(tmp_path, ROWS), "--problems", problems, "--missing", policy)

    line = next(line for line in shown.out.splitlines() if line.startswith("coverage"))
    assert "1 of 2 cases seen; 1 missing" in line
    assert all(word in line for word in ("unknown", "duplicate", "errored"))


def test_pass_at_k_tells_the_coverage_beside_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fixes = written(tmp_path, "oid,iteration_id,plausible_fix\nc1,1,True\n", "m_fixes.csv")
    problems = written(tmp_path, PROBLEMS, "problems.csv")

    shown = typed(capsys, "pass-at-k", "--problems-csv", problems, "--fixes-csv", fixes, "--k-values", "1")

    assert shown.out == "  LLM  pass@1\n0   m     0.5\n"
    assert "m: 1 of 2 problems" in shown.err


def test_without_a_list_every_case_that_anybody_answered_is_expected_of_all(tmp_path: Path) -> None:
    report = report_of(tmp_path, HEADER + "a,c1,0,True\na,c2,0,True\nb,c1,0,True\n")

    assert [subject.coverage.missing for subject in report.subjects] == [0, 1]
    assert [values(subject.pass_at_k)[1] for subject in report.subjects] == [1.0, 0.5]


def test_an_attempt_at_an_unknown_problem_is_excluded_counted_and_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = written(tmp_path, "oid\nc1\n", "problems.csv")
    path = written(tmp_path, ROWS + "a,zz,0,False\n")

    report = scored(capsys, path, "--problems", problems)

    subject = report["subjects"][0]
    assert subject["samples"] == 2
    assert subject["score"]["value"] == 1.0
    assert (subject["coverage"]["unknown"], subject["coverage"]["unknown_cases"]) == (1, ["zz"])
    assert [case["case"] for case in report["cases"]] == ["c1"]
    assert any("list of cases" in warning for warning in report["warnings"])


def test_a_subject_with_nothing_but_unknown_problems_is_listed_and_has_failed_the_known_ones(
    tmp_path: Path,
) -> None:
    report = report_of(tmp_path, ROWS + "b,zz,0,True\n", problems="oid\nc1\n")

    other = report.subjects[1]
    assert (other.model, other.coverage.missing, other.coverage.unknown) == ("b", 1, 1)
    assert values(other.pass_at_k) == {1: 0.0}


def test_a_missing_case_belongs_to_the_only_suite_there_is(tmp_path: Path) -> None:
    text = "model,suite,case,attempt,passed\na,s,c1,0,True\n"

    report = report_of(tmp_path, text, problems=PROBLEMS)

    assert [(suite.suite, suite.cases) for suite in report.suites] == [("s", 2)]
