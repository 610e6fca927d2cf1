"""Working out the figures of a group of cases."""

from fractions import Fraction

import pytest

from steelyard.analysis import figures
from steelyard.metrics.stopping import StopRule
from steelyard.model.estimate import Reason
from steelyard.model.state import CaseState, total
from tests.analysis.counted import case, lined_up


def test_an_exact_number_is_rounded_once_and_none_has_a_reason() -> None:
    assert figures.estimate(Fraction(1, 3)).value == 1 / 3
    assert figures.estimate(None).reason is Reason.NO_CASES
    assert figures.estimate(None, Reason.NOT_MEASURED).reason is Reason.NOT_MEASURED


def test_the_pass_rate_weighs_every_case_the_same() -> None:
    assert figures.pass_rate([case("c", 1, 1), case("d", 99, 0)]).value == 0.5


def test_a_case_without_evidence_voids_the_pass_rate_and_a_missing_one_does_not() -> None:
    errored = CaseState("m", "T0", "s", "d", n_error=1)
    missing = CaseState("m", "T0", "s", "d")

    assert figures.pass_rate([case("c", 1, 1), errored]).reason is Reason.NO_SAMPLES
    assert figures.pass_rate([case("c", 1, 1), missing]).value == 0.5


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
    assert figures.test_pass_rate([state, case("d", 9, 9)], None).value == 0.75
    assert figures.build_rate(case("d", 1, 1), None).reason is Reason.NOT_MEASURED
    assert figures.test_pass_rate([case("d", 1, 1)], None).reason is Reason.NOT_MEASURED


def test_rates_of_builds_and_tests_are_not_told_where_a_stop_rule_decided() -> None:
    state = case("c", 4, 1)._replace(built_n=2, built_sum=1, tests_n=2, tests_sum=1_500_000)
    rule = StopRule(maximum=4, passes=1)

    assert figures.build_rate(state, rule).reason is Reason.OPTIONAL_STOPPING
    assert figures.test_pass_rate([state], rule).reason is Reason.OPTIONAL_STOPPING
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

    one, ten = (figures.cost_of_pass(lined_up(*states)[0]) for states in ([failed], each))

    assert one is not None
    assert ten is not None
    assert one.lower_bound == pytest.approx(0.5 / 0.95)
    assert ten.lower_bound == pytest.approx(0.5 / (1 - 0.05**0.1))


def test_failures_are_counted_by_kind_and_only_those_that_occurred() -> None:
    states = [case("c", 3, 1)._replace(n_timeout=1), case("d", 2, 2)]

    assert figures.failures(total(states)) == {"fail": 1, "timeout": 1}
    assert figures.failures(total([])) == {}
