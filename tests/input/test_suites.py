"""Edges of suites: empty ones, and three ways to put suites together."""

from fractions import Fraction
from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from steelyard.model.options import Missing
from tests.commands import scored, written
from tests.input.scoring import report_of

HEADER = "model,suite,case,attempt,passed\n"
UNEVEN = HEADER + "a,s1,c1,0,True\na,s2,c1,0,True\na,s2,c2,0,False\na,s2,c3,0,False\na,s2,c4,0,False\n"
HALF = HEADER + "a,s1,c,0,True\na,s2,c,0,True\nb,s1,c,0,False\n"


def test_an_empty_suite_has_no_score_takes_no_part_and_is_listed(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(missing=Missing.SKIP)

    report = report_of(tmp_path, HALF, options=options)

    empty = next(suite for suite in report.suites if (suite.model, suite.suite) == ("b", "s2"))
    assert (empty.cases, empty.accuracy.value, empty.accuracy.reason) == (0, None, Reason.NO_CASES)
    assert report.subjects[1].overall.macro.value == 0.0


def test_an_empty_suite_keeps_its_weight_out_of_the_overall_score(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(missing=Missing.SKIP, suite_weights={"s2": Fraction(9)})

    overall = report_of(tmp_path, HALF, options=options).subjects[1].overall

    assert overall.weighted is not None
    assert overall.weighted.value == 0.0


def test_a_suite_of_missing_cases_counts_as_failed_by_default(tmp_path: Path) -> None:
    report = report_of(tmp_path, HALF.replace("b,s1,c,0,False", "b,s1,c,0,True"))

    assert report.subjects[1].overall.macro.value == 0.5


def test_no_suites_at_all_have_no_score() -> None:
    assert steelyard.suite_score([]) is None
    assert steelyard.overall_score({}) is None
    assert steelyard.overall_score({"empty": None}) is None


def test_the_overall_score_is_the_mean_of_suites_and_the_pooled_mean_stands_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overall = scored(capsys, written(tmp_path, UNEVEN))["subjects"][0]["overall"]

    assert overall["macro"]["value"] == (1 + 0.25) / 2
    assert overall["pooled"]["value"] == 2 / 5
    assert overall["weighted"] is None


def test_the_overall_score_is_weighted_when_weights_are_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, UNEVEN)

    overall = scored(capsys, path, "--suite-weight", "s1=3")["subjects"][0]["overall"]

    assert overall["weighted"]["value"] == (3 * 1 + 0.25) / 4
    assert (overall["macro"]["value"], overall["pooled"]["value"]) == (0.625, 0.4)


def test_a_suite_with_a_case_without_evidence_leaves_the_overall_score_undefined(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(suite_weights={"s1": Fraction(1)})

    overall = report_of(tmp_path, HEADER + "a,s1,c,0,True\na,s2,c,0,\n", options=options).subjects[0].overall

    assert overall.weighted is not None
    for estimate in (overall.macro, overall.pooled, overall.weighted):
        assert (estimate.value, estimate.reason) == (None, Reason.NO_SAMPLES)
