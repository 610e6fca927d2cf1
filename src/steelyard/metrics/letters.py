"""Give the odds of each letter grade, had the runs or the cases come out a little differently.

The exact bootstrap of a median of runs, and a bootstrap of cases whose draws hang on the names of the cases:
the same runs and cases always give the same odds.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lgamma

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.bootstrap import REPLICATES, bootstrap_means
from steelyard.metrics.cases import ROUNDING, Floats
from steelyard.metrics.exact import exact
from steelyard.metrics.grades import LETTERS_95, GradeScale, letter_grade
from steelyard.metrics.ranking import FEWER_REPLICATES, MANY_CASES
from steelyard.metrics.special import binomial_above
from steelyard.model.units import Number

CERTAIN = 45  # e to the minus this is less than the last digit of 1
NEGLIGIBLE = 1e-12  # medians less likely than this are left out
PAIRS_UP_TO = 1000  # with more values the two middle ones are so close that the lower one stands for both


def letter_probabilities(scores: Sequence[Number], *, scale: GradeScale = LETTERS_95) -> dict[str, float]:
    """Return the chance of every letter, best first, if as many runs were drawn again from these scores.

    The sum, over the medians a resample of the scores can have, of the chance of that median; each median
    graded exactly. Range: each in [0, 1], together 1.
    Source: Maritz and Jarrett 1978, Efron 1979 (bootstrap distribution of the median, in closed form).

    >>> odds = letter_probabilities(["0.9", "0.9", "0.8"])
    >>> {letter: round(chance, 3) for letter, chance in odds.items()}
    {'A': 0.0, 'B': 0.741, 'C': 0.259, 'D': 0.0, 'F': 0.0}
    """
    if not scores:
        raise DomainError("a grade needs at least one run")
    # Of ten thousand scores few are different, and fractions are slow to make and to compare.
    times = Counter[Fraction]()
    for score, count in Counter(scores).items():
        times[exact(score)] += count
    ordered = [score for score in sorted(times) for _ in range(times[score])]
    odds = dict.fromkeys([*(letter for letter, _ in scale.cuts), scale.below], 0.0)
    for low, high, chance in _middles(len(ordered)):
        odds[letter_grade((ordered[low] + ordered[high]) / 2, scale)] += chance
    total = sum(odds.values())
    return {letter: chance / total for letter, chance in odds.items()}


def mean_letter_probabilities(
    values: Sequence[float] | Floats,
    case_ids: Sequence[str],
    *,
    scale: GradeScale = LETTERS_95,
    rounding: float = 0.0,
) -> dict[str, float]:
    """Return the chance of every letter, best first, for the mean over cases if other cases were drawn.

    The share of the replicates of `bootstrap_means` whose mean reaches the cut of the letter and no higher
    one; a mean that misses a cut by no more than `rounding` reaches it. Nothing is drawn where Bernstein's
    inequality already says on which side of every cut all replicates are. Range: each in [0, 1], together 1.
    Source: Efron 1979 (percentile bootstrap over cases), Boucheron, Lugosi and Massart 2013, section 2.8.

    >>> odds = mean_letter_probabilities([1.0] * 9 + [0.5], [str(case) for case in range(10)])
    >>> odds["A"] + odds["B"] > 0.9
    True
    """
    replicates = FEWER_REPLICATES if len(case_ids) > MANY_CASES else REPLICATES
    scores, slack = np.array(values, dtype=np.float64), rounding + ROUNDING
    cuts = [float(cut) for _, cut in scale.cuts]
    if all(_is_certain(scores + slack - cut) for cut in cuts):
        means = np.full(replicates, scores.mean())
    else:
        means = bootstrap_means(scores[None], case_ids, replicates=replicates)[0]
    reached = [int((means + slack >= cut).sum()) for cut in cuts]
    times = np.diff([0, *reached, replicates]).tolist()
    letters = [*(letter for letter, _ in scale.cuts), scale.below]
    return {letter: count / replicates for letter, count in zip(letters, times, strict=True)}


def _is_certain(distances: Floats) -> bool:
    """Whether the sum of these, each drawn a Poisson(1) number of times, has the sign of their plain sum.

    Bernstein's inequality for values within [-1, 1]: the chance of the other sign is at most
    exp(-t² / (2 (v + t/3))), where t is the sum without its sign and v the sum of squares.
    """
    total = abs(float(distances.sum()))
    return total**2 > 2 * CERTAIN * (float(distances @ distances) + total / 3)


def _reached(i: int, n: int, half: int) -> float:
    """Return the chance that the lower middle of a resample of n values is among the first i of them."""
    # Hoeffding's bound: so far from the middle the chance is 0 or 1 to the last digit.
    if 2 * (i - half) ** 2 > CERTAIN * n:
        return float(i > half)
    return binomial_above(half - 1, n, i / n)


@lru_cache(maxsize=32)  # subjects mostly have equally many samples
def _middles(n: int) -> tuple[tuple[int, int, float], ...]:
    """Return which two of n ordered values are in the middle of a resample, and how likely that is."""
    return tuple(_likely_middles(n))


def _likely_middles(n: int) -> Iterator[tuple[int, int, float]]:
    half = (n + 1) // 2
    reached = np.array([_reached(i, n, half) for i in range(n + 1)])
    lower = np.diff(reached)
    if n % 2 or n > PAIRS_UP_TO:
        yield from ((i, i, float(chance)) for i, chance in enumerate(lower) if chance > NEGLIGIBLE)
        return
    apart = _apart(n)
    together = lower - apart.sum(axis=1)
    yield from ((i, i, float(chance)) for i, chance in enumerate(together) if chance > NEGLIGIBLE)
    for i, j in np.argwhere(apart > NEGLIGIBLE).tolist():
        yield i, j, float(apart[i, j])


def _apart(n: int) -> Floats:
    """Return P(the middle two of an even n are value i and value j), for i < j.

    C(n, n/2) ((i+1)^h - i^h) ((n-j)^h - (n-j-1)^h) / n^n with h = n/2: h draws up to i, h from j on.
    """
    h = n // 2
    root = np.exp((lgamma(n + 1) - 2 * lgamma(h + 1)) / 2)  # of C(n, h), so that nothing overflows
    steps = root * np.diff((np.arange(n + 1) / n) ** h)
    return np.asarray(np.triu(np.outer(steps, steps[::-1]), k=1), dtype=np.float64)
