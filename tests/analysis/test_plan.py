"""Planning samples from a past run or a profile."""

from dataclasses import replace

import pytest

from steelyard.analysis.plan import allocate_samples, plan_samples, plan_samples_by_profile
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.model.plan import Demand
from tests.analysis.runs import report_of, run


def test_a_noisier_past_run_asks_for_more_samples() -> None:
    calm = plan_samples(run([(10, 10)] * 20 + [(10, 0)] * 20))[0]
    noisy = plan_samples(run([(10, 5)] * 40))[0]

    assert noisy.samples > calm.samples
    assert noisy.cases == calm.cases == 40


def test_a_smaller_drop_asks_for_more_samples_and_more_samples_see_more() -> None:
    large = plan_samples_by_profile("u-shaped", cases=164)
    small = plan_samples_by_profile("u-shaped", cases=164, demand=Demand(drop=0.02))

    assert small.samples > large.samples == 5
    seen = [chances.spread for chances in large.chances.values()]
    assert seen == sorted(seen)
    assert large.chances[large.samples].spread >= large.demand.power


def test_a_past_run_with_single_samples_cannot_show_its_noise() -> None:
    with pytest.raises(InputError, match="`profile="):
        plan_samples(run([(1, 1)] * 5))


def test_a_past_run_without_evidence_is_refused() -> None:
    with pytest.raises(InputError, match="no case with evidence"):
        plan_samples(run([(0, 0)], errors=1))


def test_an_unknown_profile_and_no_cases_are_refused() -> None:
    with pytest.raises(UnknownName, match="u-shaped"):
        plan_samples_by_profile("flat", cases=10)
    with pytest.raises(UserError, match="`cases`"):
        plan_samples_by_profile("reliable", cases=0)


def test_a_budget_goes_to_the_cases_whose_outcome_is_open() -> None:
    shares = allocate_samples(run([(10, 10), (10, 5)]), budget=20)

    assert sum(shares.values()) == 20
    assert shares["s", "case-001"] > shares["s", "case-000"] >= 1


def test_a_budget_is_shared_by_one_subject_at_a_time() -> None:
    two = report_of({("a", "T0"): [(10, 5)], ("b", "T0"): [(10, 5)]})

    assert allocate_samples(two, budget=4, model="a") == {("s", "case-000"): 4}
    with pytest.raises(UserError, match="`model`"):
        allocate_samples(two, budget=4)


def test_a_drop_that_cannot_happen_is_refused() -> None:
    with pytest.raises(UserError, match=r"m \(T0\) passes 0 % of its samples, so it cannot drop by 5 points"):
        plan_samples(report_of({("m", "T0"): [(3, 0)] * 4}))


def test_a_subject_is_named_with_its_tier() -> None:
    report = report_of({("m", "T0"): [(4, 2)] * 3, ("m", "T1"): [(4, 4)] * 3})

    assert sum(allocate_samples(report, budget=9, model="m@T1").values()) == 9


def test_a_run_that_a_stop_rule_ended_plans_nothing() -> None:
    report = run([(10, 5)] * 20)
    stopped = replace(report, settings=replace(report.settings, stop_rule="maximum=10,passes=1"))

    with pytest.raises(UserError, match="sampling stopped by the rule"):
        plan_samples(stopped)
    with pytest.raises(UserError, match="sampling stopped by the rule"):
        allocate_samples(stopped, budget=100)
