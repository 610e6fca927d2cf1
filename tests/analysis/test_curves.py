"""pass@k over k, from the counts of a report."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.model.options import Missing
from steelyard.model.report import AtK, CaseSummary, Settings
from steelyard.model.state import SubjectKey
from tests.analysis.reports import SETTINGS, case, report, subject
from tests.analysis.runs import report_of

SUBJECT = SubjectKey("acme/large", "T0")


def curve(cases: Sequence[CaseSummary], settings: Settings = SETTINGS) -> Sequence[AtK]:
    whole = report(subject(), cases=cases, settings=settings)
    return pass_at_k_curves(whole, [SUBJECT])[SUBJECT]


def test_a_curve_agrees_with_the_report_at_every_k_the_report_has() -> None:
    counts = [(10, 3), (10, 10), (12, 0), (10, 7)]
    whole = report_of({("m", "T0"): counts, ("other", "T0"): counts[::-1]})
    curves = pass_at_k_curves(whole, [SubjectKey(one.model, one.tier) for one in whole.subjects])

    for one in whole.subjects:
        found, first = curves[SubjectKey(one.model, one.tier)], one.pass_at_k[0].estimate
        assert [at.k for at in found] == list(range(1, 11))
        assert found[0].estimate.value == pytest.approx(first.value)
        assert found[0].estimate.intervals[0].low == pytest.approx(first.intervals[0].low)
        assert found[0].estimate.intervals[0].high == pytest.approx(first.intervals[0].high)


def test_only_the_subjects_asked_for_get_a_curve() -> None:
    whole = report_of({("m", "T0"): [(2, 1)], ("other", "T0"): [(2, 2)]})

    assert set(pass_at_k_curves(whole, [SubjectKey("m", "T0")])) == {SubjectKey("m", "T0")}


def test_a_stop_rule_leaves_no_curve() -> None:
    whole = report(subject(), cases=[case("a")], settings=replace(SETTINGS, stop_rule="first-pass"))

    assert pass_at_k_curves(whole, [SUBJECT]) == {}


def test_a_missing_case_that_counts_as_failed_pulls_the_curve_down() -> None:
    cases = [replace(case("a"), n=4, c=4), replace(case("b"), n=0, c=0, missing=True)]

    assert [at.estimate.value for at in curve(cases)] == [0.5] * 4
    skipped = curve(cases, replace(SETTINGS, missing=Missing.SKIP))
    assert [at.estimate.value for at in skipped] == [1.0] * 4


def test_many_ks_are_thinned_out_but_those_asked_for_stay() -> None:
    ks = [at.k for at in curve([replace(case("a"), n=200, c=20)], replace(SETTINGS, pass_k=(1, 77)))]

    assert len(ks) <= 13
    assert {1, 77, 200} <= set(ks)


def test_a_subject_without_samples_has_an_empty_curve() -> None:
    assert curve([replace(case("a"), n=0, c=0, missing=True)]) == ()
