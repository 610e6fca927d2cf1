"""max@k against every draw there is."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest

from steelyard.errors import DomainError
from steelyard.metrics.best_of import max_at_k
from steelyard.metrics.pass_at_k import pass_at_k


def test_it_is_the_mean_over_all_draws_of_their_highest_score() -> None:
    for n in range(1, 7):
        for scores in combinations_with_replacement((0, 250_000, 333_333, 1_000_000), n):
            for k in range(1, n + 1):
                best = [max(draw) for draw in combinations(scores, k)]

                assert max_at_k(Counter(scores).items(), k=k) == Fraction(sum(best), len(best))


def test_scores_of_0_and_1_give_pass_at_k() -> None:
    for c in range(11):
        assert float(max_at_k([(0, 10 - c), (1, c)], k=4)) == pass_at_k(n=10, c=c, k=4)


def test_the_order_of_the_scores_does_not_matter() -> None:
    assert max_at_k([(7, 2), (1, 3), (4, 1)], k=3) == max_at_k([(1, 3), (4, 1), (7, 2)], k=3)


@pytest.mark.parametrize(
    ("k", "message"), [(0, "k must be at least 1, got 0"), (4, r"4.*exceeds.*3"), (1, "exceeds n = 0")]
)
def test_a_draw_that_cannot_be_made_is_refused(k: int, message: str) -> None:
    with pytest.raises(DomainError, match=message):
        max_at_k([(5, 3)] if k != 1 else [], k=k)
