"""Working out the figures of a group of cases."""

from dataclasses import replace
from fractions import Fraction

import pytest

from steelyard.analysis import figures
from steelyard.analysis.case_means import pass_shares
from steelyard.metrics.stopping import StopRule
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.state import CaseState, ExpectedCase, Quantity, Spread, total
from tests.analysis.counted import case, evidence, lined_up

FIRST_PASS = "maximum=3,passes=1"
# Drawn up to the first pass: one passed at once, one at its second sample, one never.
STOPPED = (case("at-once", 1, 1), case("second", 2, 1), case("never", 3, 0))


def test_an_exact_number_is_rounded_once_and_none_has_a_reason() -> None:
    assert figures.estimate(Fraction(1, 3)).value == 1 / 3
    assert figures.estimate(None).reason is Reason.NO_CASES
    assert figures.estimate(None, Reason.NOT_MEASURED).reason is Reason.NOT_MEASURED


def _pass_rate(states: list[CaseState]) -> Estimate:
    return figures.mean_over_cases(states, lambda: pass_shares(states, None), None)


def test_the_pass_rate_weighs_every_case_the_same() -> None:
    assert _pass_rate([case("c", 1, 1), case("d", 99, 0)]).value == 0.5
    assert _pass_rate([]).reason is Reason.NO_CASES


def test_a_case_without_evidence_voids_the_pass_rate_and_a_missing_one_does_not() -> None:
    errored = CaseState("m", "T0", "s", "d", n_error=1)
    missing = CaseState("m", "T0", "s", "d")

    assert _pass_rate([case("c", 1, 1), errored]).reason is Reason.NO_SAMPLES
    assert _pass_rate([case("c", 1, 1), missing]).value == 0.5


@pytest.mark.parametrize(
    ("states", "value", "reason"),
    [
        ([case("c", 2, 1), case("d", 1, 1)], 0.75, None),
        ([case("c", 2, 1), CaseState("m", "T0", "s", "gone")], 0.25, None),
        ([case("c", 2, 1), CaseState("m", "T0", "s", "d", n_error=2)], None, Reason.NO_SAMPLES),
        ([case("c", 2, 1)._replace(score_n=0, score_sum=0)], None, Reason.NOT_MEASURED),
        ([case("c", 2, 1)._replace(score_n=1)], None, Reason.PARTLY_MEASURED),
        ([CaseState("m", "T0", "s", "gone")], 0.0, None),
        ([], None, Reason.NO_CASES),
    ],
)
def test_the_mean_score_is_a_number_or_has_a_reason(
    states: list[CaseState], value: float | None, reason: Reason | None
) -> None:
    found = figures.mean_score(states)

    assert (found.value, found.reason) == (value, reason)


def test_rates_are_over_those_where_anyone_looked() -> None:
    state = case("c", 4, 1)._replace(built_n=2, built_sum=1, tests_n=2, tests_sum=1_500_000)

    assert figures.build_rate(state, None).value == 0.5
    assert figures.pass_rate_of_tests([state, case("d", 9, 9)], None).value == 0.75
    assert figures.build_rate(case("d", 1, 1), None).reason is Reason.NOT_MEASURED
    assert figures.pass_rate_of_tests([case("d", 1, 1)], None).reason is Reason.NOT_MEASURED


def test_rates_of_builds_and_tests_are_not_told_where_a_stop_rule_decided() -> None:
    state = case("c", 4, 1)._replace(built_n=2, built_sum=1, tests_n=2, tests_sum=1_500_000)
    rule = StopRule(maximum=4, passes=1)

    assert figures.build_rate(state, rule).reason is Reason.OPTIONAL_STOPPING
    assert figures.pass_rate_of_tests([state], rule).reason is Reason.OPTIONAL_STOPPING
    assert figures.build_rate(case("d", 1, 1), rule).reason is Reason.NOT_MEASURED


def test_the_mean_latency_is_over_the_samples_that_have_one() -> None:
    assert figures.mean_latency(case("c", 5, 1)._replace(latency_n=2, latency_sum=3_000_000)) == Fraction(
        3, 2
    )
    assert figures.mean_latency(case("c", 5, 1)) is None


def test_a_total_cost_needs_the_cost_of_every_sample() -> None:
    whole = case("c", 2, 1)._replace(cost_n=2, cost_sum=3 * 10**9)
    part = whole._replace(cost_n=1, n_unpriced=1)

    assert figures.total_cost(whole).value == 3.0
    assert figures.total_cost(part).reason is Reason.PARTLY_MEASURED
    assert figures.total_cost(part).detail == "1 sample has no cost; the others cost $3.0000"
    two = figures.total_cost(part._replace(n_unpriced=2))
    assert two.detail == "2 samples have no cost; the others cost $3.0000"
    assert figures.total_cost(case("c", 2, 1)).reason is Reason.NOT_MEASURED


def test_the_cost_of_pass_is_unknown_where_the_cost_is() -> None:
    priced = case("c", 2, 1)._replace(cost_n=2, cost_sum=3 * 10**9)
    found = figures.cost_of_pass(lined_up(priced)[0])

    assert found is not None
    assert found.value == 3.0
    assert figures.cost_of_pass(lined_up(case("c", 2, 1))[0]) is None


def test_the_bound_on_an_infinite_cost_rests_on_the_cases_and_not_on_the_samples() -> None:
    failed = case("c", 10, 0)._replace(cost_n=10, cost_sum=5 * 10**9)
    each = [case(f"c{place}", 1, 0)._replace(cost_n=1, cost_sum=5 * 10**8) for place in range(10)]

    ours = CaseState("m", "T0", "s", "ours", n_error=2)  # says nothing of the model
    one, ten = (figures.cost_of_pass(lined_up(*states)[0]) for states in ([failed, ours], each))

    assert one is not None
    assert ten is not None
    assert one.lower_bound == pytest.approx(0.5 / 0.95)
    assert ten.lower_bound == pytest.approx(0.5 / (1 - 0.05**0.1))


def test_failures_are_counted_by_kind_and_only_those_that_occurred() -> None:
    states = [case("c", 3, 1)._replace(n_timeout=1), case("d", 2, 2)]

    assert figures.failures(total(states)) == {"fail": 1, "timeout": 1}
    assert figures.failures(total([])) == {}


def test_without_a_stop_rule_pass_at_k_is_the_mean_of_the_cases() -> None:
    expected = frozenset(ExpectedCase("s", name) for name in ("c", "d", "gone"))
    (subject,) = lined_up(case("c", 4, 1), case("d", 4, 4), expected=expected, pass_k=(1, 2))

    # 1 - C(3, 2) / C(4, 2) = 1/2, then 1, and 0 for the missing one.
    assert figures.case_pass_at_k(subject, 2) == [0.5, 1.0, 0.0]
    assert figures.mean_pass_at(subject, 2).value == 0.5


def test_a_case_adds_its_dollars_and_its_passes() -> None:
    states = [case("c", 4, 1)._replace(cost_n=4, cost_sum=25 * 10**8), case("d", 2, 2)]

    assert figures.case_costs_and_passes(states, None) == ([2.5, 0.0], [1.0, 2.0])


@pytest.mark.parametrize(("k", "value"), [(1, 1 / 3), (2, 2 / 3), (3, 2 / 3)])
def test_up_to_the_first_pass_a_case_has_passed_within_k_or_not(k: int, value: float) -> None:
    (subject,) = lined_up(*STOPPED, stop_rule=FIRST_PASS)

    assert figures.mean_pass_at(subject, k).value == pytest.approx(value)
    assert figures.case_pass_at_k(subject, k) == [1.0, 0.0, float(k > 1)]  # at-once, never, second


def test_a_missing_case_is_a_failed_one_under_a_stop_rule_too() -> None:
    expected = frozenset(ExpectedCase("s", name) for name in ("at-once", "second", "never", "gone"))
    (subject,) = lined_up(*STOPPED, expected=expected, stop_rule=FIRST_PASS)

    assert figures.mean_pass_at(subject, 1).value == pytest.approx(1 / 4)


def test_a_k_that_a_stop_rule_may_not_reach_has_no_estimate() -> None:
    found = figures.mean_pass_at(lined_up(*STOPPED, stop_rule=FIRST_PASS)[0], 4)

    assert found.detail == "the stop rule can end before 4 samples without a pass"
    assert found == figures.estimate_pass_at(3, 0, 4, FIRST_PASS)


def test_pass_at_k_of_one_case_counts_paths_where_a_stop_rule_ended_it() -> None:
    assert figures.estimate_pass_at(4, 1, 2, None).value == 0.5
    assert figures.estimate_pass_at(2, 1, 1, FIRST_PASS).value == 0.0
    assert figures.estimate_pass_at(2, 1, 2, FIRST_PASS).value == 1.0
    assert figures.estimate_pass_at(0, 0, 1, FIRST_PASS) == figures.estimate_pass_at(0, 0, 1, None)
    left = figures.estimate_pass_at(2, 0, 1, FIRST_PASS)
    assert (left.value, left.detail) == (None, "left after 2, before the stop rule ended it")


def test_pass_hat_k_has_an_estimate_only_without_a_stop_rule() -> None:
    cases = case("c", 4, 2), case("d", 4, 4)

    # C(2, 2) / C(4, 2) = 1/6, and 1.
    assert figures.case_pass_hat_k(lined_up(*cases)[0], 2) == pytest.approx([1 / 6, 1])
    assert figures.mean_pass_hat(lined_up(*cases)[0], 2).value == pytest.approx(7 / 12)
    stopped = figures.mean_pass_hat(lined_up(*STOPPED, stop_rule=FIRST_PASS)[0], 1)
    assert stopped.reason is Reason.OPTIONAL_STOPPING


# Three times: 1, 2 and 4.5 seconds.
TIMED = case("c", 3, 2)._replace(latency_n=3, latency_sum=7_500_000)
TIMES = Spread(
    3, 7_500_000, 25_250_000_000_000, 1_000_000, 4_500_000, 2_000_000, 2_000_000, 1_000_000, p95=4_500_000
)


def test_spreads_are_those_of_the_samples() -> None:
    (subject,) = lined_up(TIMED)
    counted = replace(evidence(TIMED), spreads={(subject.key, Quantity.LATENCY): TIMES})

    found = figures.spreads(subject, counted)

    assert (found.pass_rate.mean, found.pass_rate.median, found.pass_rate.count) == (2 / 3, 1.0, 3)
    assert (found.latency_s.mean, found.latency_s.median, found.latency_s.max) == (2.5, 2.0, 4.5)
    assert (found.cost_usd.count, found.cost_usd.reason) == (0, Reason.NOT_MEASURED)


def test_where_spreads_were_left_out_for_size_the_mean_is_still_there() -> None:
    (subject,) = lined_up(TIMED)

    found = figures.spreads(subject, replace(evidence(TIMED), spreads=None))

    assert (found.latency_s.mean, found.latency_s.count) == (2.5, 3)
    assert (found.latency_s.median, found.latency_s.reason) == (None, Reason.TOO_MANY_VALUES)
    assert (found.score.mean, found.score.count) == (2 / 3, 3)
    assert (found.cost_usd.mean, found.cost_usd.reason) == (None, Reason.NOT_MEASURED)


def test_spreads_under_a_stop_rule_say_whether_anything_was_measured() -> None:
    (subject,) = lined_up(case("c", 1, 1)._replace(latency_n=1, latency_sum=1), stop_rule=FIRST_PASS)

    found = figures.spreads(subject, evidence())

    assert found.pass_rate.reason is Reason.OPTIONAL_STOPPING
    assert found.score.reason is Reason.OPTIONAL_STOPPING
    assert found.latency_s.reason is Reason.OPTIONAL_STOPPING
    assert found.cost_usd.reason is Reason.NOT_MEASURED


def test_the_time_within_which_most_are_answered_is_a_number_or_has_a_reason() -> None:
    (subject,) = lined_up(TIMED)
    counted = replace(evidence(TIMED), spreads={(subject.key, Quantity.LATENCY): TIMES})
    unknown = replace(evidence(TIMED), spreads={(subject.key, Quantity.LATENCY): TIMES._replace(p95=None)})

    found = [
        figures.latency_p95(subject, one)
        for one in (counted, unknown, evidence(TIMED), replace(evidence(TIMED), spreads=None))
    ]

    assert [one and (one.value, one.reason) for one in found] == [
        (4.5, None),
        (None, Reason.NOT_MEASURED),
        (None, Reason.NOT_MEASURED),
        (None, Reason.TOO_MANY_VALUES),
    ]
    assert figures.latency_p95(lined_up(case("c", 1, 1))[0], evidence()) is None
