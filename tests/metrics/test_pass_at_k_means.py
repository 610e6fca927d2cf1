"""Pass@k and pass^k as means over cases."""

import random
from collections.abc import Callable
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.pass_at_k import _mean, mean_pass_at_k, mean_pass_hat_k, pass_at_k, pass_hat_k
from steelyard.model.estimate import Estimate, Reason

MEANS = [mean_pass_at_k, mean_pass_hat_k]


@pytest.mark.parametrize(("mean", "formula"), [(mean_pass_at_k, pass_at_k), (mean_pass_hat_k, pass_hat_k)])
def test_the_mean_weighs_every_case_alike(
    mean: Callable[..., Estimate], formula: Callable[..., float]
) -> None:
    cases = [(10, 3), (4, 4), (5, 0), (10, 3), (200, 199)]

    estimate = mean(cases, k=3)

    assert estimate == Estimate.of(fsum(formula(n=n, c=c, k=3) for n, c in cases) / 5)


@pytest.mark.parametrize("mean", MEANS)
@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(5, 30), st.integers(0, 5)), min_size=1), st.randoms(use_true_random=False)
)
def test_the_order_of_the_cases_does_not_matter(
    mean: Callable[..., Estimate], cases: list[tuple[int, int]], rng: random.Random
) -> None:
    estimate = mean(cases, k=5)
    rng.shuffle(cases)

    assert mean(cases, k=5) == estimate
    assert estimate.value is not None
    assert 0 <= estimate.value <= 1


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize(
    ("cases", "k", "detail"),
    [
        ([(5, 2), (3, 1), (2, 0)], 5, "2 of 3 cases have fewer than 5 samples"),
        ([(5, 2), (3, 1), (3, 1)], 4, "2 of 3 cases have fewer than 4 samples"),
        ([(5, 2), (3, 1)], 4, "1 of 2 cases has fewer than 4 samples"),
        ([(3, 1)], 4, "1 of 1 case has fewer than 4 samples"),
        ([(0, 0), (1, 1)], 1, "1 of 2 cases has fewer than 1 sample"),
    ],
)
def test_one_case_with_too_few_samples_leaves_the_mean_undefined(
    mean: Callable[..., Estimate], cases: list[tuple[int, int]], k: int, detail: str
) -> None:
    estimate = mean(cases, k=k)

    assert estimate == Estimate.undefined(Reason.K_EXCEEDS_N, detail)


@pytest.mark.parametrize("mean", MEANS)
def test_no_cases_have_no_mean(mean: Callable[..., Estimate]) -> None:
    assert mean([], k=1) == Estimate.undefined(Reason.NO_CASES)


@pytest.mark.parametrize("mean", MEANS)
def test_the_mean_refuses_k_below_1_even_without_cases(mean: Callable[..., Estimate]) -> None:
    with pytest.raises(DomainError, match=r"^k.*0$"):
        mean([], k=0)


@pytest.mark.parametrize("mean", MEANS)
def test_the_mean_refuses_impossible_counts_even_beside_short_cases(mean: Callable[..., Estimate]) -> None:
    with pytest.raises(DomainError, match="got c = 6"):
        mean([(1, 0), (5, 6)], k=2)


def test_each_distinct_pair_is_evaluated_once() -> None:
    seen = []

    def counting(n: int, c: int, k: int) -> float:
        seen.append((n, c, k))
        return 0.5

    _mean(counting, [(4, 1), (4, 2), (4, 1)], 2)

    assert seen == [(4, 1, 2), (4, 2, 2)]
