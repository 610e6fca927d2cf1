"""The bound behind a pass: no less than the drop, in 95 of 100 runs."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binom

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.plausible import largest_drop
from tests.metrics.strategies import paired_runs, unhurried

ALL = CaseCounts.of(n=1, c=[1] * 33).sums


def test_with_no_failure_at_all_it_is_the_bound_of_rare_events() -> None:
    # None of 33 failed: a share of 8.7 % would still do that once in twenty times, by 0.95 ** (1 / 33).
    assert largest_drop(ALL, ALL, alpha=0.05) == pytest.approx(-np.log(0.05) / 33)
    assert largest_drop(ALL, ALL, alpha=0.05) > 1 - 0.05 ** (1 / 33)


def test_with_many_samples_it_is_the_normal_bound() -> None:
    runs = CaseCounts.of(n=50, c=[25] * 400).sums

    assert largest_drop(runs, runs, alpha=0.05) == pytest.approx(1.645 * np.sqrt(0.5 / 20_000), rel=0.02)


@unhurried
@given(paired_runs())
def test_it_is_never_below_the_drop_that_was_seen(pair: tuple[CaseCounts, CaseCounts]) -> None:
    before, after = pair[0].sums, pair[1].sums

    found = largest_drop(before, after, alpha=0.05)

    assert min(1.0, float((before.means - after.means).mean())) < found + 1e-12 <= 1 + 1e-12
    assert largest_drop(before, after, alpha=0.01) >= found


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("pairs", [12, 33, 60])
@pytest.mark.parametrize("wins", [0.0, 0.01, 0.1, 0.25])
def test_of_single_samples_it_is_too_small_at_most_at_the_rate_alpha(
    alpha: float, pairs: int, wins: float
) -> None:
    """By the exact chance of every number of losses and wins, for a grid of true drops."""
    bounds = np.array(
        [
            [_bound(lost, won, pairs, alpha) for won in range(pairs + 1 - lost)] + [1] * lost
            for lost in range(pairs + 1)
        ]
    )
    for drop in (0.01, 0.03, 0.05, 0.1, 0.2, 0.4):
        won = binom.pmf(np.arange(pairs + 1), pairs, wins)
        lost = np.array(
            [binom.pmf(np.arange(pairs + 1), pairs - w, (wins + drop) / (1 - wins)) for w in range(pairs + 1)]
        )
        joint = lost.T * won
        assert joint[bounds < drop - 1e-12].sum() <= alpha


def _bound(lost: int, won: int, pairs: int, alpha: float) -> float:
    before = CaseCounts.of(n=1, c=[1] * lost + [0] * won + [1] * (pairs - lost - won))
    after = CaseCounts.of(n=1, c=[0] * lost + [1] * won + [1] * (pairs - lost - won))
    return largest_drop(before.sums, after.sums, alpha=alpha)


def test_small_steps_of_a_score_are_bounded_as_if_they_were_whole_ones() -> None:
    before = CaseSums.of(n=[5] * 60, total=[4.875] * 60, total_sq=[4.753125] * 60)
    after = CaseSums.of(n=[5] * 60, total=[2.625] * 60, total_sq=[1.378125] * 60)

    assert largest_drop(before, after, alpha=0.05) == pytest.approx(
        0.45 + 1.645 * np.sqrt(0.45 / 300), abs=0.01
    )


def test_without_cases_there_is_no_bound() -> None:
    empty = CaseCounts.of(n=[], c=[]).sums

    with pytest.raises(DomainError, match=r"shared.*case"):
        largest_drop(empty, empty, alpha=0.05)


@pytest.mark.parametrize(("n", "c"), [(1, [1] * 33), (2, [1, 2] * 20)])
def test_with_times_it_is_about_that_of_so_many_times_the_samples(n: int, c: list[int]) -> None:
    few = CaseCounts.of(n=n, c=c).sums
    many = CaseCounts.of(n=4 * n, c=[4 * passed for passed in c]).sums

    assert largest_drop(few, few, alpha=0.05, times=4) == pytest.approx(
        largest_drop(many, many, alpha=0.05), rel=0.02
    )
