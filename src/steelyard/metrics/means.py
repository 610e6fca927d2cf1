"""Average shares of many cases exactly and fast.

Every case weighs the same, whatever its number of samples.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from steelyard.errors import DomainError


def mean_of_shares(shares: Iterable[tuple[int, int]]) -> Fraction | None:
    """Return the mean of part / whole over cases, or None without cases.

    (1/M) sum(part_i / whole_i); exact. Parts with the same whole are added up as integers first, so that
    10^5 cases cost a few fraction additions. Range: that of the shares.
    Source: the mean over cases of pass@k papers (Chen et al. 2021) and of suite scores (seed 004).

    >>> mean_of_shares([(1, 2), (3, 4), (0, 2)])
    Fraction(5, 12)
    """
    parts: Counter[int] = Counter()
    cases = 0
    for part, share in shares:
        if share < 1:
            raise DomainError(f"a share needs a whole of at least 1, got {share}")
        parts[share] += part
        cases += 1
    if not cases:
        return None
    return sum((Fraction(part, whole) for whole, part in sorted(parts.items())), Fraction(0)) / cases
