"""G-Pass@k and mG-Pass@k against every draw there is, and as means over cases."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import ceil, fsum

import pytest

from steelyard.errors import DomainError
from steelyard.metrics.pass_at_k import g_pass_at_k, mean_g_pass_at_k, mean_mg_pass_at_k, mg_pass_at_k
from steelyard.model.estimate import Estimate, Reason

TAUS = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1)]


def counts(most: int) -> Iterator[tuple[int, int, int]]:
    """Return every n, c and k up to some n."""
    return ((n, c, k) for n in range(1, most + 1) for c in range(n + 1) for k in range(1, n + 1))


def passes_of_draws(n: int, c: int, k: int) -> list[int]:
    """Return how many samples pass in each draw of k out of n."""
    return [sum(draw) for draw in combinations([1] * c + [0] * (n - c), k)]


@pytest.mark.parametrize("tau", TAUS, ids=str)
def test_g_pass_is_the_share_of_draws_with_enough_passes(tau: Fraction) -> None:
    for n, c, k in counts(7):
        draws = passes_of_draws(n, c, k)
        enough = sum(passes >= max(1, ceil(tau * k)) for passes in draws)

        assert g_pass_at_k(n=n, c=c, k=k, tau=tau) == enough / len(draws)


def test_mg_pass_is_the_mean_of_g_pass_over_thresholds_above_one_half() -> None:
    for n, c, k in counts(7):
        draws = passes_of_draws(n, c, k)
        met = sum(passes >= i for passes in draws for i in range(ceil(k / 2) + 1, k + 1))

        assert mg_pass_at_k(n=n, c=c, k=k) == float(Fraction(2 * met, k * len(draws)))


def test_for_odd_k_a_model_that_always_passes_stays_below_1() -> None:
    assert [mg_pass_at_k(n=10, c=10, k=k) for k in (2, 3, 4, 5)] == [1.0, 2 / 3, 1.0, 4 / 5]


def test_a_thousand_draws_of_ten_thousand_samples_take_no_time() -> None:
    assert g_pass_at_k(n=10_000, c=5_000, k=999, tau=0.5) == 0.5


def test_the_means_weigh_every_case_alike() -> None:
    cases = [(10, 3), (8, 8), (9, 0), (10, 3), (200, 120)]

    g_pass = fsum(g_pass_at_k(n=n, c=c, k=8, tau="0.75") for n, c in cases) / 5
    mg_pass = fsum(mg_pass_at_k(n=n, c=c, k=8) for n, c in cases) / 5

    assert mean_g_pass_at_k(cases, k=8, tau="0.75") == Estimate.of(g_pass)
    assert mean_mg_pass_at_k(cases, k=8) == Estimate.of(mg_pass)


def test_a_mean_is_undefined_with_a_reason_where_a_case_has_too_few_samples() -> None:
    found = mean_mg_pass_at_k([(4, 4), (3, 3)], k=4)

    assert (found.reason, found.detail) == (Reason.K_EXCEEDS_N, "1 of 2 cases has fewer than 4 samples")
    assert mean_g_pass_at_k([], k=4, tau=0.5).reason is Reason.NO_CASES


def test_the_mean_of_mg_pass_needs_more_than_one_sample() -> None:
    with pytest.raises(DomainError, match="needs a k of at least 2, got 1"):
        mean_mg_pass_at_k([(4, 4)], k=1)


def test_a_share_beyond_1_is_refused() -> None:
    with pytest.raises(DomainError, match="tau"):
        mean_g_pass_at_k([(4, 4)], k=2, tau=1.5)


@pytest.mark.parametrize("tau", TAUS, ids=str)
def test_for_one_sample_the_mean_of_g_pass_is_the_pass_rate(tau: Fraction) -> None:
    assert mean_g_pass_at_k([(3, 1), (7, 2)], k=1, tau=tau).value == float(Fraction(13, 42))
