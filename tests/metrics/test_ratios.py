import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.cost import group_cost_of_pass
from steelyard.metrics.ratios import (
    RatioSums,
    cost_of_pass_interval,
    fieller_interval,
    is_separated,
    log_delta_interval,
    ratio_interval,
    uplift_interval,
    zero_pass_bound,
)
from steelyard.model.estimate import Interval
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried

PAIRS = st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2, max_size=20)
ZERO_PASS_ROWS = [row for row in golden_rows("cost_of_pass", "aggregate") if row["passes"] == 0]


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    assert interval is not None
    return interval.low, interval.high


def sums_of(row: Row) -> RatioSums:
    return RatioSums.of([float(x) for x in row["x"]], [float(y) for y in row["y"]])


@pytest.mark.parametrize("row", golden_rows("ratio_ci"), ids=str)
def test_the_log_delta_interval_equals_the_golden_value(row: Row) -> None:
    assert ends(log_delta_interval(sums_of(row))) == pytest.approx(tuple(row["log_delta"]), rel=1e-12)
    assert sums_of(row).x / sums_of(row).y == pytest.approx(row["ratio"], rel=1e-12)


@pytest.mark.parametrize("row", golden_rows("ratio_ci"), ids=str)
def test_fiellers_interval_equals_the_golden_value(row: Row) -> None:
    expected = (
        (None, None) if row["fieller"] == "unbounded" else pytest.approx(tuple(row["fieller"]), rel=1e-12)
    )

    assert ends(fieller_interval(sums_of(row))) == expected


@pytest.mark.parametrize("row", golden_rows("ratio_ci"), ids=str)
def test_the_default_has_no_upper_bound_where_fieller_has_none(row: Row) -> None:
    low, high = ends(ratio_interval(sums_of(row)))

    assert low == pytest.approx(row["log_delta"][0], rel=1e-12)
    assert (high is None) == (row["fieller"] == "unbounded")


@pytest.mark.parametrize("row", ZERO_PASS_ROWS, ids=str)
def test_the_zero_pass_bound_equals_the_golden_value(row: Row) -> None:
    n, cost = row["n"], float(row["total_cost"])

    interval = cost_of_pass_interval(costs=[cost / n] * n, passes=[0] * n, samples=n)

    assert interval.low == pytest.approx(row["lower_bound_95_one_sided"], rel=1e-12)
    assert interval.high is None


def test_the_zero_pass_bound_agrees_with_the_exact_one_and_with_scipy() -> None:
    bound = zero_pass_bound(mean_cost=0.25, trials=40)

    exact = group_cost_of_pass(total_cost=10, passes=0, samples=40).lower_bound
    assert bound == pytest.approx(exact, rel=1e-12)
    assert bound == pytest.approx(0.25 / stats.binomtest(0, 40).proportion_ci(0.90).high, rel=1e-9)


def test_correlated_samples_count_as_one_trial_a_case() -> None:
    interval = cost_of_pass_interval(costs=[5.0] * 10, passes=[0] * 10, samples=100)

    assert interval.low == pytest.approx(zero_pass_bound(mean_cost=0.5, trials=10))


@unhurried
@given(PAIRS)
def test_the_interval_holds_the_ratio(pairs: list[tuple[float, float]]) -> None:
    sums = RatioSums.of([x for x, _ in pairs], [y for _, y in pairs])

    low, high = ends(log_delta_interval(sums))

    assert low is not None
    assert high is not None
    assert low <= sums.x / sums.y * (1 + 1e-12)
    assert high >= sums.x / sums.y * (1 - 1e-12)


@unhurried
@given(PAIRS)
def test_the_unit_of_the_cost_does_not_matter(pairs: list[tuple[float, float]]) -> None:
    x, y = [x for x, _ in pairs], [y for _, y in pairs]
    low, high = ends(log_delta_interval(RatioSums.of(x, y)))
    assert low is not None
    assert high is not None

    in_cents = ends(log_delta_interval(RatioSums.of([100 * value for value in x], y)))

    assert in_cents == pytest.approx((100 * low, 100 * high), rel=1e-6)


@unhurried
@given(PAIRS)
def test_turning_the_ratio_upside_down_turns_the_interval(pairs: list[tuple[float, float]]) -> None:
    x, y = [x for x, _ in pairs], [y for _, y in pairs]
    low, high = ends(log_delta_interval(RatioSums.of(x, y)))
    assert low is not None
    assert high is not None

    turned = ends(log_delta_interval(RatioSums.of(y, x)))

    assert turned == pytest.approx((1 / high, 1 / low), rel=1e-6)


@unhurried
@given(PAIRS, st.data())
def test_the_order_and_the_parts_of_the_cases_do_not_matter(
    pairs: list[tuple[float, float]], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(pairs))
    cut = data.draw(st.integers(0, len(pairs)))
    parts = [RatioSums.of([x for x, _ in part], [y for _, y in part]) for part in (order[:cut], order[cut:])]

    whole = RatioSums.of([x for x, _ in pairs], [y for _, y in pairs])

    assert ends(log_delta_interval(parts[0] + parts[1])) == pytest.approx(
        ends(log_delta_interval(whole)), rel=1e-6
    )


def test_pairing_narrows_the_interval_of_an_uplift() -> None:
    baseline, tier = [0.2, 0.5, 0.6, 0.9] * 9, [0.3, 0.6, 0.7, 1.0] * 9

    paired = uplift_interval(tier=tier, baseline=baseline)
    mismatched = uplift_interval(tier=tier[::-1], baseline=baseline)

    assert paired is not None
    assert paired.low is not None
    assert paired.low > 0
    assert mismatched is not None
    assert mismatched.low is not None
    assert mismatched.low < 0


def test_an_uplift_over_nothing_is_unknown() -> None:
    assert uplift_interval(tier=[0.5, 0.6, 0.4] * 4, baseline=[0.0] * 11 + [0.1]) is None


@pytest.mark.parametrize("cases", [3, 10, 164])
def test_cases_that_all_agree_do_not_prove_that_none_can_differ(cases: int) -> None:
    low, high = ends(uplift_interval(tier=[1.0] * cases, baseline=[1.0] * cases))

    # A 16th of a case that differs, in either direction: s² = (1/16 + 1/16) / (M (M - 1))
    reach = stats.t.ppf(0.975, cases - 1) * (0.125 / (cases * (cases - 1))) ** 0.5
    assert low == pytest.approx(math.exp(-reach) - 1)
    assert high == pytest.approx(math.exp(reach) - 1)


def test_a_tier_without_a_pass_has_lost_everything_and_no_upper_bound() -> None:
    assert ends(uplift_interval(tier=[0.0] * 12, baseline=[1.0, 0.9, 0.8] * 4)) == (-1.0, None)


def test_one_case_alone_bounds_nothing() -> None:
    one = RatioSums.of([1.0], [1.0])

    assert ends(ratio_interval(one)) == (None, None)
    assert not is_separated(one)


def test_a_ratio_to_nothing_has_no_bounds() -> None:
    assert ends(ratio_interval(RatioSums.of([1.0, 1.0], [0.0, 0.0]))) == (None, None)


def test_free_answers_make_free_passes() -> None:
    assert ends(cost_of_pass_interval(costs=[0.0, 0.0], passes=[1, 2], samples=4)) == (0.0, 0.0)


def test_costs_have_a_ratio_interval_with_pseudo_cases() -> None:
    costs, passes = [0.2] * 100, [1, 1] + [0] * 98
    sums = RatioSums.of(costs, passes)

    found = cost_of_pass_interval(costs=costs, passes=passes, samples=500)

    # One case without a pass, and a 16th of a case with five passes where the mean is 0.02.
    assert ends(found) == ends(ratio_interval(sums, unseen=1 + 249**2 / 16))
    assert (found.low or 0) < (ratio_interval(sums).low or 0)


def test_fewer_than_five_passes_bound_the_cost_from_below_only() -> None:
    few, enough = (
        cost_of_pass_interval(costs=[0.1] * 8, passes=[1] * passes + [0] * (8 - passes), samples=8)
        for passes in (4, 7)
    )

    assert few.high is None
    assert few.low == pytest.approx(0.1)  # a pass costs at least one sample
    assert enough.high is not None


def test_the_bound_from_few_passes_covers_even_where_costs_differ() -> None:
    rng = np.random.default_rng(20261115)
    costs = rng.lognormal(size=(400, 5))
    truth = np.exp(0.5)  # the mean cost of a sample; 4 of 5 pass

    lows = [cost_of_pass_interval(costs=cost, passes=[1, 1, 1, 1, 0], samples=5).low for cost in costs]

    assert np.mean([low is None or low <= truth / 0.8 for low in lows]) >= 0.95


def test_passes_that_come_as_rates_have_a_most_of_one() -> None:
    costs, rates = [0.2, 0.1] * 6, [0.5, 1.0] * 6

    by_rates = cost_of_pass_interval(costs=costs, passes=rates, samples=60, most=1.0)
    by_counts = cost_of_pass_interval(
        costs=[5 * cost for cost in costs], passes=[5 * r for r in rates], samples=60
    )

    assert ends(by_rates) == pytest.approx(ends(by_counts))


def test_without_cases_the_cost_of_a_pass_has_no_bound() -> None:
    assert ends(cost_of_pass_interval(costs=[], passes=[], samples=0)) == (None, None)


def test_parts_of_a_ratio_are_not_negative() -> None:
    with pytest.raises(DomainError, match="not negative"):
        RatioSums.of([-1.0, 1.0], [1.0, 1.0])


@pytest.mark.parametrize(("x", "y"), [([1.0], [1.0]), ([0.0, 0.0], [1.0, 1.0]), ([1.0, 1.0], [0.0, 0.0])])
def test_the_logarithm_of_nothing_is_refused(x: list[float], y: list[float]) -> None:
    with pytest.raises(DomainError, match="logarithm"):
        log_delta_interval(RatioSums.of(x, y))


@pytest.mark.parametrize(("trials", "level"), [(0, 0.95), (10, 1.0), (10, 0.0)])
def test_an_impossible_zero_pass_bound_is_refused(trials: int, level: float) -> None:
    with pytest.raises(DomainError, match="needs a trial"):
        zero_pass_bound(mean_cost=1.0, trials=trials, level=level)


def test_both_parts_of_a_ratio_have_a_row_for_each_case() -> None:
    with pytest.raises(DomainError, match=r"1 and 2 rows$"):
        RatioSums.of([1.0], [1.0, 2.0])
