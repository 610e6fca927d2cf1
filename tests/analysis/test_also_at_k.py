"""Figures for each k that a report holds only if asked for."""

from itertools import combinations

import pytest

from steelyard.analysis.build import build_report
from steelyard.errors import UserError
from steelyard.metrics.intervals import mean_interval
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report, SubjectAtK
from steelyard.model.state import CaseState, ExpectedCase
from tests.analysis.counted import case, evidence

CASES = (case("a", 6, 3), case("b", 6, 5), case("c", 6, 0))


def report_of(*states: CaseState, expected: tuple[str, ...] = (), **options: object) -> Report:
    wanted = frozenset(ExpectedCase("s", name) for name in expected) or None
    chosen = ReportOptions(**{"pass_k": (1, 4), **options})  # type: ignore[arg-type]  # any option
    return build_report(evidence(*states), chosen, wanted)


def share_of_draws(passed: int, need: int) -> float:
    """Return the share of draws of 4 out of 6 samples in which enough pass."""
    draws = list(combinations([1] * passed + [0] * (6 - passed), 4))
    return sum(sum(draw) >= need for draw in draws) / len(draws)


def estimates(found: SubjectAtK) -> list[Estimate]:
    """Return all estimates of a subject."""
    return [*(at.estimate for at in found.g_pass_at_k), *(at.estimate for at in found.mg_pass_at_k)]


def test_nothing_was_asked_for_and_nothing_is_said() -> None:
    assert report_of(*CASES).also_at_k == ()


def test_g_pass_has_a_value_for_each_tau_with_its_interval() -> None:
    [found] = report_of(*CASES, also_at_k=("g-pass",)).also_at_k

    assert (found.model, found.tier) == ("m", "T0")
    assert [(at.k, at.tau) for at in found.g_pass_at_k] == [(4, 0.5), (4, 0.75)]
    for at, need in zip(found.g_pass_at_k, (2, 3), strict=True):
        of_cases = [share_of_draws(passed, need) for passed in (3, 5, 0)]
        assert at.estimate.value == pytest.approx(sum(of_cases) / 3)
        assert at.estimate.intervals == (mean_interval(of_cases, level=0.95),)


def test_mg_pass_averages_the_thresholds_above_one_half() -> None:
    [found] = report_of(*CASES, also_at_k=("g-pass",)).also_at_k
    [at] = found.mg_pass_at_k

    of_cases = [(share_of_draws(passed, 3) + share_of_draws(passed, 4)) / 2 for passed in (3, 5, 0)]
    assert at.k == 4
    assert at.estimate.value == pytest.approx(sum(of_cases) / 3)
    assert at.estimate.intervals == (mean_interval(of_cases, level=0.95),)


def test_a_missing_case_counts_as_failed() -> None:
    [found] = report_of(case("a", 6, 6), expected=("a", "b"), also_at_k=("g-pass",)).also_at_k

    assert [one.value for one in estimates(found)] == [0.5, 0.5, 0.5]


def test_with_too_few_samples_the_reason_stands_in_its_place() -> None:
    [found] = report_of(case("a", 3, 3), also_at_k=("g-pass",)).also_at_k

    assert {(one.value, one.reason) for one in estimates(found)} == {(None, Reason.K_EXCEEDS_N)}


def test_a_stop_rule_leaves_no_figure() -> None:
    [found] = report_of(case("a", 1, 1), also_at_k=("g-pass",), stop_rule="maximum=4,passes=1").also_at_k

    assert {(one.value, one.reason) for one in estimates(found)} == {(None, Reason.OPTIONAL_STOPPING)}


def test_a_single_sample_is_too_few_to_ask_about() -> None:
    with pytest.raises(UserError, match="needs a k of at least 2"):
        report_of(*CASES, pass_k=(1,), also_at_k=("g-pass",))
