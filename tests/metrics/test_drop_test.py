"""The test behind a fail: exact, and open to one broken case as to a drop spread over all."""

import numpy as np
import pytest
from hypothesis import given, settings

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.drop_test import joint_drop_test
from tests.metrics.strategies import paired_runs, reordered

Pair = tuple[CaseCounts, CaseCounts]


def test_the_same_counts_get_the_same_p_value_every_time() -> None:
    before, after = CaseCounts.of(n=5, c=[5, 4, 3] * 20), CaseCounts.of(n=5, c=[4, 4, 3] * 20)

    assert joint_drop_test(before, after) == joint_drop_test(before, after)


@settings(deadline=None, max_examples=25)
@given(paired_runs())
def test_a_p_value_lies_between_zero_and_one_and_its_first_part_is_exact(pair: Pair) -> None:
    found = joint_drop_test(*pair)

    assert 0 < found.p <= 1
    assert 0 < found.criticism <= 1
    assert 0 < found.sparse <= 1
    assert found.overall == cmh_test(*pair).p
    assert found.p >= min(found.criticism, found.sparse, found.overall) * 0.5


@settings(deadline=None, max_examples=25)
@given(paired_runs())
def test_the_order_of_the_cases_does_not_matter(pair: Pair) -> None:
    order = list(range(len(pair[0])))[::-1]

    turned = joint_drop_test(*(reordered(run, order) for run in pair))

    assert turned.p == joint_drop_test(*pair).p
    assert sorted(order[row] for row in turned.carriers) == list(joint_drop_test(*pair).carriers)


def test_where_nothing_could_differ_nothing_is_found() -> None:
    same = CaseCounts.of(n=5, c=[5, 0, 5])

    found = joint_drop_test(same, same)

    assert (found.p, found.carriers) == (1, ())


def test_one_broken_case_among_flaky_ones_is_found_and_named() -> None:
    before = CaseCounts.of(n=5, c=[5] * 120 + [2, 3] * 4 + [4, 5] * 12)
    after = CaseCounts.of(n=5, c=[0] + [5] * 119 + [3, 2] * 4 + [5, 4] * 12)

    found = joint_drop_test(before, after)

    assert found.overall > 0.05 >= found.p
    assert found.carriers == (0,)


def test_a_drop_spread_over_all_cases_is_found() -> None:
    found = joint_drop_test(CaseCounts.of(n=5, c=[4] * 164), CaseCounts.of(n=5, c=[3] * 164))

    assert found.p <= 0.001


@pytest.mark.parametrize("n", [1, 3])
def test_without_a_change_it_rejects_no_more_often_than_its_level(n: int) -> None:
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(200):
        p = rng.beta(0.5, 0.25, 40)
        before, after = (CaseCounts.of(n=n, c=rng.binomial(n, p)) for _ in range(2))
        rejected += joint_drop_test(before, after).p <= 0.05
    assert rejected / 200 <= 0.1  # five in a hundred, and three standard errors


def test_of_single_samples_it_is_the_exact_test_of_losses_and_wins() -> None:
    before, after = CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] * 5 + [1] * 45)

    found = joint_drop_test(before, after)

    assert [found.p, found.sparse] == pytest.approx([1 / 32, 1 / 32])


def test_a_smaller_level_is_drawn_for_more_often() -> None:
    before, after = CaseCounts.of(n=10, c=[10] * 50), CaseCounts.of(n=10, c=[0] * 3 + [10] * 47)

    assert joint_drop_test(before, after, alpha=0.001).p < joint_drop_test(before, after).p


def test_a_hundred_thousand_cases_are_tested() -> None:
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.25, 100_000)
    before, after = (CaseCounts.of(n=5, c=rng.binomial(5, p)) for _ in range(2))

    assert 0 < joint_drop_test(before, after).p <= 1


def test_where_too_few_draws_fit_the_exact_test_of_all_cases_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = CaseCounts.of(n=5, c=[4, 5] * 30), CaseCounts.of(n=5, c=[0, 1] * 30)
    assert joint_drop_test(before, after, alpha=1e-4).p > cmh_test(before, after).p
    monkeypatch.setattr("steelyard.metrics.drop_test.CELLS_IN_ALL", 1)

    found = joint_drop_test(before, after, alpha=1e-4)

    assert found.p == found.overall == cmh_test(before, after).p < 1e-4
    assert joint_drop_test(before, after, alpha=0.05).p == 1 / 1000
