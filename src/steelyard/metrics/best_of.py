"""Estimate the best score among k samples of a case from how often each score came up.

Pure arithmetic on integers; scores are whole numbers in any unit.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from steelyard.errors import DomainError


def max_at_k(scores: Iterable[tuple[int, int]], *, k: int) -> Fraction:
    """Return the expected highest of k samples' scores, drawn without replacement (max@k).

    Each score is given with how many samples have it. With N(s) samples that score s or less, of n:
    sum over scores of s * (C(N(s), k) - C(N(s-), k)) / C(n, k), exact; unbiased for the expected highest
    of k fresh samples. Range: from the lowest score to the highest; 1 <= k <= n. k = 1 gives the mean, and
    scores of 0 and 1 give pass@k.
    Source: the mean of the highest order statistic of a draw without replacement, as pass@k
    (Chen et al. 2021, arXiv:2107.03374) is it of 0 and 1.

    >>> max_at_k([(0, 2), (50, 1), (100, 1)], k=2)
    Fraction(200, 3)
    """
    if k < 1:
        raise DomainError(f"k must be at least 1, got {k}")
    reached, weighted, ways_below = 0, 0, 0
    for score, times in sorted(scores):
        reached += times
        ways = comb(reached, k)
        weighted += score * (ways - ways_below)
        ways_below = ways
    if reached < k:
        raise DomainError(f"k = {k} exceeds n = {reached}: no unbiased estimate exists with fewer samples")
    return Fraction(weighted, ways_below)
