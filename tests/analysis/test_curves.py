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


def test_up_to_twelve_samples_every_k_is_there_and_above_twelve_of_equal_ratios() -> None:
    twelve, thirteen, many = (
        [at.k for at in curve([replace(case("a"), n=n, c=1)], replace(SETTINGS, pass_k=(1, 77, 500)))]
        for n in (12, 13, 200)
    )

    assert twelve == list(range(1, 13))
    # Powers of 13^(1/11) = 1.2626: 1, 1.26, 1.59, 2.01, 2.54, 3.21, 4.05, 5.12, 6.46, 8.15, 10.3, 13.
    assert thirteen == [1, 2, 3, 4, 5, 6, 8, 10, 13]
    # Powers of 200^(1/11) = 1.6188, and the 77 that was asked for.
    assert many == [1, 2, 3, 4, 7, 11, 18, 29, 47, 76, 77, 124, 200]


def test_a_missing_case_widens_the_interval_as_a_case_that_always_failed_does() -> None:
    seen = replace(case("a"), n=4, c=4), replace(case("b"), n=4, c=2)
    missing, failed = replace(case("c"), n=0, c=0, missing=True), replace(case("c"), n=4, c=0)

    assert curve([*seen, missing]) == curve([*seen, failed])


def test_a_case_with_nothing_but_our_own_errors_leaves_an_empty_curve() -> None:
    assert curve([case("a"), replace(case("b"), n=0, c=0, errored=2)]) == ()
