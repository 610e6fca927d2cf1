"""The p-value of a drop of scores, known by sums only."""

from itertools import combinations
from math import exp, log, sqrt
from statistics import fmean, pvariance, variance

import numpy as np
import pytest
from scipy.stats import norm

from steelyard.metrics.cases import CaseSums
from steelyard.metrics.score_tail import score_drop_p

Scores = list[list[float]]


def sums(scores: Scores) -> CaseSums:
    return CaseSums.of(
        n=[len(case) for case in scores],
        total=[sum(case) for case in scores],
        total_sq=[sum(score**2 for score in case) for case in scores],
    )


def exact_p(baseline: Scores, current: Scores) -> float:
    """Deal the scores of each case out again in all ways."""
    differences = np.zeros(1)
    for old, new in zip(baseline, current, strict=True):
        pool = [*old, *new]
        dealt = [sum(hand) for hand in combinations(pool, len(new))]
        of_case = [one / len(new) - (sum(pool) - one) / len(old) for one in dealt]
        differences = np.add.outer(differences, of_case).ravel()
    seen = sum(np.mean(new) - np.mean(old) for old, new in zip(baseline, current, strict=True))
    return float((differences <= seen + 1e-9).mean())


@pytest.mark.parametrize(("many", "few"), [(4, 1), (1, 4), (3, 2), (2, 2), (5, 1)])
def test_it_is_never_below_the_exact_one(many: int, few: int) -> None:
    random = np.random.default_rng(5)
    for _ in range(60):
        level = random.choice([0.1, 0.5, 0.9])
        dealt = [
            [[float(score) for score in random.beta(level, 1 - level, n).round(2)] for n in (many, few)]
            for _ in range(3)
        ]
        old, new = [case[0] for case in dealt], [case[1] for case in dealt]
        bound = score_drop_p(sums(old), sums(new))

        assert bound is None or bound >= exact_p(old, new) - 1e-9


def test_one_bad_sample_beside_ten_good_ones_is_no_proof() -> None:
    old: Scores = [[1.0] * 10] * 60
    new: Scores = [[0.1], *[[1.0]] * 59]

    p = score_drop_p(sums(old), sums(new))

    assert exact_p(old[:1], new[:1]) == pytest.approx(1 / 11)
    assert p is not None
    assert 1 / 11 <= p < 0.3


def test_a_clear_drop_is_seen_with_unequal_samples_too() -> None:
    p = score_drop_p(sums([[0.9, 1.0, 0.95, 0.9]] * 50), sums([[0.5, 0.6]] * 50))

    assert p is not None
    assert p < 1e-6


def test_a_few_cases_with_a_sample_less_hardly_matter() -> None:
    old: Scores = [[0.9, 0.7, 0.8]] * 60
    whole = score_drop_p(sums(old), sums([[0.7, 0.6, 0.8]] * 60))
    lacking = score_drop_p(sums(old), sums([*[[0.7, 0.6, 0.8]] * 58, [0.7, 0.6], [0.7, 0.6]]))

    assert whole is not None
    assert lacking is not None
    assert whole < lacking < 1e-4


def test_scores_that_rise_or_agree_are_no_drop() -> None:
    assert score_drop_p(sums([[0.5]]), sums([[0.7, 0.8]])) == 1.0
    assert score_drop_p(sums([[0.5]]), sums([[0.5, 0.5]])) is None


def test_cases_in_which_all_scores_agree_add_nothing_however_often_they_were_drawn() -> None:
    old: Scores = [[0.9, 0.7, 0.8]] * 20
    new: Scores = [[0.7, 0.6, 0.8]] * 20

    p = score_drop_p(sums([*old, [1.0]]), sums([*new, [1.0, 1.0]]))

    assert p == score_drop_p(sums(old), sums(new))


def drop_p(old: Scores, new: Scores) -> float | None:
    return score_drop_p(sums(old), sums(new))


def normal_by_hand(fall: float, spread: float) -> float:
    return min(1.0, 3.178 * float(norm.sf(fall / sqrt(spread))))


def bennett_by_hand(fall: float, spread: float, jump: float) -> float:
    u = jump * fall / spread
    return exp(-spread / jump**2 * ((1 + u) * log(1 + u) - u))


def test_a_single_loss_has_a_p_of_three_times_the_normal_tail() -> None:
    # One toss of a fair coin: z = -1.
    assert drop_p([[1.0]], [[0.0]]) == pytest.approx(3.178 * float(norm.cdf(-1)))


@pytest.mark.parametrize(
    ("old", "new", "drawn", "jump"),
    [
        # Fewer in the current run: its one score may lie 2/3 below the mean of all three.
        ([1.0, 1.0], [0.0], 1, 3 / 2 * 2 / 3),
        # Fewer in the baseline: its two scores may lie 1 - 0.5 above the mean of all five.
        ([0.75, 0.75], [0.25, 0.5, 0.25], 2, 5 / 6 * 0.5),
        ([0.5, 0.5, 0.5, 0.5], [0.25, 0.25], 2, 3 / 4 * 5 / 12),
    ],
)
def test_unequal_samples_have_the_tail_of_bennett(
    old: list[float], new: list[float], drawn: int, jump: float
) -> None:
    spread = drawn * (1 / len(old) + 1 / len(new)) ** 2 * pvariance([*old, *new])

    expected = bennett_by_hand(fmean(old) - fmean(new), spread, jump)

    assert drop_p([old], [new]) == pytest.approx(expected)
    # A case in which all scores agree moves nothing, though its own scores could have lain further apart.
    assert drop_p([old, [0.5] * 2], [new, [0.5]]) == pytest.approx(expected)
    assert drop_p([old, [0.5]], [new, [0.5] * 2]) == pytest.approx(expected)


# Nearly all spread in the uneven cases, nearly all in the even ones, and some in both.
@pytest.mark.parametrize(("even", "uneven"), [(0.01, 0.9), (0.9, 0.01), (0.5, 0.5)])
def test_a_fall_in_both_kinds_of_cases_is_split_in_the_best_of_nineteen_ways(
    even: float, uneven: float
) -> None:
    old, new = [[even, even], *[[uneven] * 3] * 6], [[even, 0.0], *[[0.0]] * 6]
    fall = even / 2 + 6 * uneven
    of_even = variance([even, even, even, 0.0])
    of_uneven = 6 * (1 / 3 + 1) ** 2 * pvariance([uneven, uneven, uneven, 0.0])
    jump = 4 / 3 * 3 / 4 * uneven

    splits = [
        normal_by_hand(fall * part / 20, of_even) + bennett_by_hand(fall * (20 - part) / 20, of_uneven, jump)
        for part in range(1, 20)
    ]

    assert drop_p(old, new) == pytest.approx(min(splits))


def test_a_fall_of_next_to_nothing_has_a_p_of_one() -> None:
    assert drop_p([[1.0, 0.0, 0.01]], [[1.0, 0.0, 0.0]]) == 1.0
    assert drop_p([[1.0, 0.0, 0.01], [1.0, 0.0]], [[1.0, 0.0, 0.0], [0.5]]) == 1.0
