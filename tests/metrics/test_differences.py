from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.differences import Difference, new_case_difference, rerun_deviation, rerun_difference
from steelyard.model.estimate import Target
from tests.metrics.strategies import paired_runs, reordered, unhurried

Pair = tuple[CaseCounts, CaseCounts]
KINDS = [new_case_difference, rerun_difference]


def ends(difference: Difference) -> tuple[float, float]:
    interval = difference.interval
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


@pytest.mark.parametrize("difference", KINDS)
@unhurried
@given(pair=paired_runs())
def test_the_interval_holds_the_difference_itself(difference: type, pair: Pair) -> None:
    baseline, current = pair
    found = difference(baseline.sums, current.sums)
    low, high = ends(found)

    assert found.value == pytest.approx((current.rates - baseline.rates).mean(), abs=1e-12)
    assert low - 1e-12 <= found.value <= high + 1e-12


@pytest.mark.parametrize("difference", KINDS)
@unhurried
@given(pair=paired_runs())
def test_exchanging_the_runs_mirrors_the_interval(difference: type, pair: Pair) -> None:
    baseline, current = pair
    low, high = ends(difference(baseline.sums, current.sums))

    assert ends(difference(current.sums, baseline.sums)) == pytest.approx((-high, -low), abs=1e-12)


@pytest.mark.parametrize("difference", KINDS)
@unhurried
@given(pair=paired_runs(), data=st.data())
def test_the_order_of_the_cases_does_not_matter(difference: type, pair: Pair, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(pair[0]))))
    shuffled = [reordered(run, order).sums for run in pair]

    assert ends(difference(*shuffled)) == pytest.approx(
        ends(difference(*(run.sums for run in pair))), rel=1e-9, abs=1e-12
    )


def test_at_one_sample_the_new_case_interval_is_agresti_and_mins_with_t() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1, 1, 0, 1, 1]), CaseCounts.of(n=1, c=[0, 1, 1, 0, 1])
    root = sqrt(1 / 2)
    padded = np.array([-1, 0, 1, -1, 0, root, -root])
    half = stats.t.ppf(0.975, 6) * padded.std(ddof=1) / sqrt(7)

    found = new_case_difference(baseline.sums, current.sums)

    assert ends(found) == pytest.approx((padded.mean() - half, padded.mean() + half), rel=1e-12)
    assert found.interval.target is Target.NEW_CASES


def test_more_samples_add_less_pseudo_evidence() -> None:
    few = new_case_difference(CaseCounts.of(n=2, c=[2] * 9).sums, CaseCounts.of(n=2, c=[2] * 9).sums)
    many = new_case_difference(CaseCounts.of(n=50, c=[50] * 9).sums, CaseCounts.of(n=50, c=[50] * 9).sums)

    assert ends(many)[1] == pytest.approx(ends(few)[1] / 5, rel=1e-12)


def test_the_rerun_interval_uses_the_variance_of_the_cmh_test() -> None:
    baseline, current = CaseCounts.of(n=5, c=[5, 4, 2, 5]), CaseCounts.of(n=5, c=[3, 4, 0, 5])
    # The CMH variance is that of a sum of passes; the mean difference is 2/n of the excess over M cases.
    variance = (2 / 5) ** 2 * cmh_test(baseline, current).variance + 1 / 5

    found = rerun_difference(baseline.sums, current.sums)

    assert rerun_deviation(baseline.sums, current.sums) == pytest.approx(sqrt(variance) / 4, rel=1e-12)
    half = stats.norm.ppf(0.975) * sqrt(variance) / 4
    assert ends(found) == pytest.approx((-0.2 - half, -0.2 + half), rel=1e-12)
    assert found.interval.target is Target.RERUN


@pytest.mark.parametrize(
    ("many", "few", "before", "after"), [(10, 1, 0.95, 0.7), (1, 10, 0.7, 0.95), (10, 2, 0.9, 0.6)]
)
def test_the_rerun_interval_holds_with_different_numbers_of_samples(
    many: int, few: int, before: float, after: float
) -> None:
    random, held = np.random.default_rng(3), 0
    for _ in range(300):
        old = CaseCounts.of(n=many, c=random.binomial(many, before, 40))
        new = CaseCounts.of(n=few, c=random.binomial(few, after, 40))
        interval = rerun_difference(old.sums, new.sums).interval
        held += (interval.low or 0.0) <= after - before <= (interval.high or 0.0)

    assert held >= 0.91 * 300  # pooled, the longer run spoke for both: 77 of 100


def test_unequal_samples_are_averaged_for_the_pseudo_pair() -> None:
    baseline, current = CaseCounts.of(n=[2, 4], c=[2, 4]), CaseCounts.of(n=[3, 2], c=[3, 2])
    expected = np.mean([(1 / 2 + 1 / 3) / 2, (1 / 4 + 1 / 2) / 2])

    assert rerun_deviation(baseline.sums, current.sums) == pytest.approx(sqrt(expected) / 2, rel=1e-12)


@pytest.mark.parametrize("difference", KINDS)
def test_without_shared_cases_there_is_no_difference(difference: type) -> None:
    empty = CaseCounts.of(n=[], c=[]).sums

    with pytest.raises(DomainError, match=r"shared.*case"):
        difference(empty, empty)
