from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, MeanSums, pass_at_k_of_cases
from steelyard.metrics.intervals import (
    mean_interval,
    mean_interval_of_sums,
    rerun_interval,
    suite_mean_interval,
    wilson,
)
from steelyard.metrics.pass_at_k import pass_at_k_variance
from steelyard.model.estimate import Interval, Target
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import reordered, runs, unhurried

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def ends(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


# --- golden values ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", golden_rows("wilson_95"), ids=str)
def test_wilson_equals_the_golden_value(row: Row) -> None:
    interval = wilson(passed=row["x"], total=row["n"])

    assert ends(interval) == pytest.approx(row["ci"], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("row", golden_rows("mean_ci_t_plus_2_pseudo_cases"), ids=str)
def test_the_mean_interval_equals_the_golden_value(row: Row) -> None:
    interval = mean_interval([float(mean) for mean in row["case_means"]])

    assert ends(interval) == pytest.approx(row["ci"], rel=1e-12, abs=1e-15)


# --- oracles ----------------------------------------------------------------------------------------


@unhurried
@given(st.integers(1, 300), st.data(), st.sampled_from([0.5, 0.9, 0.99]))
def test_wilson_agrees_with_statsmodels(total: int, data: st.DataObject, level: float) -> None:
    passed = data.draw(st.integers(0, total))
    expected = proportion_confint(passed, total, alpha=1 - level, method="wilson")

    assert ends(wilson(passed=passed, total=total, level=level)) == pytest.approx(expected, abs=1e-12)


@unhurried
@given(SHARES, st.sampled_from([0.8, 0.95]))
def test_the_mean_interval_is_students_with_a_zero_and_a_one_added(values: list[float], level: float) -> None:
    low, high = stats.t.interval(level, len(values) + 1, *_mean_and_error([*values, 0.0, 1.0]))

    interval = mean_interval(values, level=level)

    assert ends(interval) == pytest.approx((max(0, low), min(1, high)), rel=1e-9, abs=1e-9)


def _mean_and_error(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


# --- the mean interval ------------------------------------------------------------------------------


@unhurried
@given(SHARES, st.floats(0.7, 0.999))
def test_the_mean_interval_holds_the_raw_mean(values: list[float], level: float) -> None:
    low, high = ends(mean_interval(values, level=level))

    assert low - 1e-9 <= fsum(values) / len(values) <= high + 1e-9


@unhurried
@given(SHARES)
def test_the_mean_interval_mirrors_when_passes_and_failures_change_places(values: list[float]) -> None:
    low, high = ends(mean_interval(values))

    mirrored = ends(mean_interval([1 - value for value in values]))

    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@unhurried
@given(SHARES)
def test_the_order_of_the_cases_does_not_change_the_interval(values: list[float]) -> None:
    assert mean_interval(sorted(values)) == mean_interval(values)


@unhurried
@given(SHARES, SHARES)
def test_the_mean_interval_may_be_put_together_from_parts(one: list[float], other: list[float]) -> None:
    merged = mean_interval_of_sums(MeanSums.of(one) + MeanSums.of(other))

    assert ends(merged) == pytest.approx(ends(mean_interval(one + other)), rel=1e-9, abs=1e-9)


@unhurried
@given(SHARES)
def test_a_higher_level_never_gives_a_narrower_interval(values: list[float]) -> None:
    narrow, wide = ends(mean_interval(values, level=0.8)), ends(mean_interval(values, level=0.95))

    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


@pytest.mark.parametrize("values", [[], [1.5], [-0.1, 0.5], [1.1, 0.5]])
def test_what_is_no_share_has_no_mean_interval(values: list[float]) -> None:
    with pytest.raises(DomainError):
        mean_interval(values)


@pytest.mark.parametrize(("total", "total_sq"), [(3.0, 1.0), (-1.0, 1.0), (1.0, 1.5), (1.0, -0.5)])
def test_sums_that_no_shares_have_are_refused(total: float, total_sq: float) -> None:
    with pytest.raises(DomainError, match="no 2 values"):
        mean_interval_of_sums(MeanSums(count=2, total=total, total_sq=total_sq))


# --- means of suites --------------------------------------------------------------------------------


@unhurried
@given(SHARES)
def test_one_suite_has_the_plain_mean_interval(values: list[float]) -> None:
    alone = suite_mean_interval([MeanSums.of(values)])

    assert ends(alone) == pytest.approx(ends(mean_interval(values)), rel=1e-9, abs=1e-9)


def test_ten_perfect_suites_are_not_pulled_far_from_one() -> None:
    suites = [MeanSums.of([1.0] * 20)] * 10

    low, high = ends(suite_mean_interval(suites))

    assert 0.97 < low < 1
    assert high == 1


def test_the_suite_interval_is_satterthwaites_with_two_pseudo_cases_in_all() -> None:
    suites = [[1.0, 0.5, 0.0], [1.0, 1.0, 0.5, 0.25]]
    parts = [_weighted([*values, 0.0, 1.0], [1.0] * len(values) + [0.5, 0.5]) for values in suites]
    variance = sum(part[1] for part in parts) / 4
    freedom = variance**2 / sum((part[1] / 4) ** 2 / part[2] for part in parts)
    middle, half = np.mean([part[0] for part in parts]), stats.t.ppf(0.975, freedom) * variance**0.5

    interval = suite_mean_interval([MeanSums.of(values) for values in suites])

    assert ends(interval) == pytest.approx((max(0, middle - half), min(1, middle + half)), rel=1e-12)


def _weighted(values: list[float], weights: list[float]) -> tuple[float, float, float]:
    count = sum(weights)
    mean = float(np.average(values, weights=weights))
    spread = sum(w * (x - mean) ** 2 for x, w in zip(values, weights, strict=True)) / (count - 1)
    return mean, spread / count, count - 1


def test_equal_weights_are_no_weights() -> None:
    suites = [MeanSums.of([1.0, 0.5, 0.0]), MeanSums.of([1.0, 1.0, 0.5, 0.25])]

    weighted = suite_mean_interval(suites, weights=[3, 3])

    assert ends(weighted) == pytest.approx(ends(suite_mean_interval(suites)), rel=1e-12)


def test_a_suite_without_weight_does_not_count() -> None:
    heavy, light = MeanSums.of([1.0, 0.5, 0.0]), MeanSums.of([0.0] * 50)

    interval = suite_mean_interval([heavy, light], weights=[1, 0])

    assert ends(interval) == pytest.approx(ends(mean_interval([1.0, 0.5, 0.0])), rel=1e-12)


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [0.0, 0.0]])
def test_weights_that_cannot_weigh_are_refused(weights: list[float]) -> None:
    with pytest.raises(DomainError, match=r"2.*weights"):
        suite_mean_interval([MeanSums.of([1.0])] * 2, weights=weights)


def test_no_suites_have_no_interval() -> None:
    with pytest.raises(DomainError, match="suite"):
        suite_mean_interval([])


# --- drawing the same cases again -------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_rerun_interval_adds_up_the_variances_within_cases(k: int) -> None:
    counts = CaseCounts.of(n=[8, 10, 12], c=[3, 10, 5])
    variance = sum(pass_at_k_variance(n=n, c=c, k=k) for n, c in [(8, 3), (10, 10), (12, 5)])
    largest = k / 2 * (1 - 1 / (2 * k)) ** (2 * k - 1)
    pseudo = 2 * largest * np.mean([1 / 8, 1 / 10, 1 / 12])
    half = stats.norm.ppf(0.975) * (variance + pseudo) ** 0.5 / 3
    mean = pass_at_k_of_cases(counts, k=k).mean()

    interval = rerun_interval(counts, k=k)

    assert ends(interval) == pytest.approx((max(0, mean - half), min(1, mean + half)), rel=1e-12)
    assert interval.target is Target.RERUN


def test_coin_flips_are_the_pseudo_cases_of_pass_at_1() -> None:
    low, _ = ends(rerun_interval(CaseCounts.of(n=5, c=[5] * 20)))

    assert low == pytest.approx(1 - stats.norm.ppf(0.975) * (0.5 / 5) ** 0.5 / 20, rel=1e-12)


@unhurried
@given(runs(), st.data())
def test_the_rerun_interval_holds_the_mean_and_ignores_the_order(
    counts: CaseCounts, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(counts))))
    interval = rerun_interval(counts)
    low, high = ends(interval)

    assert low <= counts.rates.mean() + 1e-12
    assert counts.rates.mean() - 1e-12 <= high
    assert ends(rerun_interval(reordered(counts, order))) == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 2), (9, 5)])
def test_with_fewer_than_2k_samples_the_interval_for_new_cases_stands_in(n: int, k: int) -> None:
    counts = CaseCounts.of(n=[20, n], c=[10, 1])

    interval = rerun_interval(counts, k=k)

    assert interval.target is Target.NEW_CASES
    assert interval == mean_interval(pass_at_k_of_cases(counts, k=k))


def test_drawing_the_same_cases_again_varies_far_less_than_drawing_new_ones() -> None:
    counts = CaseCounts.of(n=10, c=[10] * 90 + [0] * 30 + [9, 7, 5, 3] * 11)
    rerun, new = ends(rerun_interval(counts)), ends(mean_interval(counts.rates))

    assert rerun[1] - rerun[0] < (new[1] - new[0]) / 3


def test_a_run_without_cases_has_no_rerun_interval() -> None:
    with pytest.raises(DomainError, match="case"):
        rerun_interval(CaseCounts.of(n=[], c=[]))


@pytest.mark.parametrize(("passed", "total"), [(-1, 3), (4, 3), (0, 0)])
def test_wilson_refuses_impossible_counts(passed: int, total: int) -> None:
    with pytest.raises(DomainError, match="passes lie between"):
        wilson(passed=passed, total=total)


@unhurried
@given(st.integers(1, 100), st.data())
def test_wilson_mirrors_when_passes_and_failures_change_places(total: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, total))
    low, high = ends(wilson(passed=passed, total=total))

    assert ends(wilson(passed=total - passed, total=total)) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_an_interval_without_an_end_is_not_bounded() -> None:
    whole = wilson(passed=1, total=2)
    half = Interval(low=0.0, high=None, level=0.95, target=Target.RERUN, method="none")

    assert whole.is_bounded
    assert not half.is_bounded


@pytest.mark.parametrize("weight", [1e-15, 1e-17, 1e-200])
def test_a_suite_of_one_case_with_next_to_no_weight_changes_nothing(weight: float) -> None:
    three, one = MeanSums.of([1.0, 0.0, 1.0]), MeanSums.of([1.0])

    found = suite_mean_interval([three, one], weights=[1.0, weight])

    alone = mean_interval([1.0, 0.0, 1.0])
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
