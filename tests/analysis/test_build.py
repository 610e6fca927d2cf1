"""Putting counted evidence together into a report."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import steelyard
from steelyard.analysis.build import build_report
from steelyard.errors import UserError
from steelyard.model.estimate import Reason
from steelyard.model.options import LatencyBounds, Missing, ReportOptions
from steelyard.model.state import ExpectedCase
from tests.analysis.counted import case, evidence, reported

SUITES = "model,suite,case,attempt,passed\na,s,c,0,True\na,t,c,0,False\nb,s,c,0,True\n"


def test_everything_comes_in_a_stable_order() -> None:
    states = [
        case(name, 1, 1, model=model, tier=tier, suite=suite)
        for model in "ba"
        for tier in ("T1", "T0")
        for suite in "ts"
        for name in "dc"
    ]

    forwards, backwards = (
        build_report(evidence(*order), ReportOptions()) for order in (states, states[::-1])
    )

    assert forwards == backwards
    assert [(subject.model, subject.tier) for subject in forwards.subjects] == [
        ("a", "T0"),
        ("a", "T1"),
        ("b", "T0"),
        ("b", "T1"),
    ]
    assert [(found.suite, found.case) for found in forwards.cases[:4]] == [
        ("s", "c"),
        ("s", "d"),
        ("t", "c"),
        ("t", "d"),
    ]


def test_the_settings_state_every_choice() -> None:
    options = ReportOptions(pass_k=(1, 5), missing=Missing.SKIP, suite_weights={"s": Fraction(1, 2)})

    settings = build_report(evidence(case("c", 1, 1)), options).settings
    listed = build_report(evidence(case("c", 1, 1)), options, frozenset({ExpectedCase(None, "c")})).settings

    assert (settings.pass_k, settings.missing, settings.suite_weights) == ((1, 5), Missing.SKIP, {"s": 0.5})
    assert settings.expected_from == "cases seen in any subject"
    assert listed == replace(settings, expected_from="a list of cases")


def test_a_missing_case_is_listed_among_the_cases(tmp_path: Path) -> None:
    report = reported(tmp_path, "model,case,attempt,passed\na,c,0,True\na,d,0,True\nb,c,0,True\n")

    absent = report.cases[-1]
    assert (absent.model, absent.case, absent.missing, absent.n) == ("b", "d", True, 0)
    assert absent.mean_score is absent.cost_usd is absent.mean_latency_s is None
    assert absent.pass_at_k[0].estimate.reason is Reason.NO_SAMPLES


def test_the_integers_of_a_case_let_two_reports_be_compared_exactly(tmp_path: Path) -> None:
    text = "model,case,attempt,passed,score,cost_usd,latency_s\na,c,0,True,0.1,0.5,1\na,c,1,True,0.2,0.25,2\n"

    (found,) = reported(tmp_path, text).cases

    assert (found.score_n, found.score_sum_micro, found.score_sq_micro) == (2, 300_000, 50_000_000_000)
    assert (found.mean_score, found.cost_usd, found.mean_latency_s) == (0.15, 0.75, 1.5)


@pytest.mark.parametrize(("text", "value", "reason"), [("2", 0.75, None), ("", None, Reason.NOT_MEASURED)])
def test_a_latency_score_is_made_only_when_asked_for(
    tmp_path: Path, text: str, value: float | None, reason: Reason | None
) -> None:
    rows = f"model,case,attempt,passed,latency_s\na,c,0,True,{text}\n"
    bounds = LatencyBounds(good_s=Fraction(1), bad_s=Fraction(5))

    asked = reported(tmp_path, rows, latency=bounds).subjects[0].latency_score

    assert asked is not None
    assert (asked.value, asked.reason) == (value, reason)
    assert reported(tmp_path, rows).subjects[0].latency_score is None


def test_every_subject_has_every_suite(tmp_path: Path) -> None:
    report = reported(tmp_path, SUITES)

    assert [(suite.model, suite.suite) for suite in report.suites] == [
        ("a", "s"),
        ("a", "t"),
        ("b", "s"),
        ("b", "t"),
    ]
    assert [suite.accuracy.value for suite in report.suites] == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("missing", [Missing.FAIL, Missing.SKIP])
def test_suite_weights_hold_for_every_subject_whatever_is_missing(tmp_path: Path, missing: Missing) -> None:
    report = reported(tmp_path, SUITES, missing=missing, suite_weights={"t": Fraction(3)})

    weighted = [subject.overall.weighted for subject in report.subjects]
    assert [found.value for found in weighted if found] == [0.25, 0.25 if missing is Missing.FAIL else 1.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"zz": Fraction(1)}, r"`suite_weight`.*suites"),
        ({"s": Fraction(-1)}, r"`suite_weight`.*negative"),
        ({"s": Fraction(0), "t": Fraction(0)}, r"`suite_weight`.*sum.*0"),
    ],
)
def test_suite_weights_that_do_not_fit_are_refused(
    tmp_path: Path, weights: dict[str, Fraction], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        reported(tmp_path, SUITES, suite_weights=weights)


def test_only_suites_that_weigh_nothing_have_no_overall_score(tmp_path: Path) -> None:
    text = "model,suite,case,attempt,passed\na,s,c,0,True\na,t,c,0,True\nb,s,c,0,True\n"

    report = reported(tmp_path, text, missing=Missing.SKIP, suite_weights={"s": Fraction(0)})

    weighted = report.subjects[1].overall.weighted
    assert weighted is not None
    assert (weighted.value, weighted.reason) == (None, Reason.NO_CASES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ReportOptions(pass_k=()), "k must be at least 1, got nothing"),
        (ReportOptions(pass_k=(1, 0)), "k must be at least 1, got 1, 0"),
        (
            ReportOptions(grade_scale="mild"),
            r"`grade_scale=mild`.*letters-.*95",
        ),
        (
            ReportOptions(latency=LatencyBounds(good_s=Fraction(5), bad_s=Fraction(5))),
            r"`latency_good`.*`latency_bad`",
        ),
        (ReportOptions(latency=LatencyBounds(good_s=Fraction(-1), bad_s=Fraction(5))), "got -1 and 5"),
    ],
)
def test_options_that_cannot_be_used_are_refused_before_anything_is_read(
    options: ReportOptions, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        steelyard.score_files(["absent.csv"], options=options)
