"""Bound how often scores fall as far as they did if no case changed: the p-value of a drop of scores.

Reports keep sums of scores, not single ones, so the law of a redeal cannot be drawn, only bounded.
"""

from math import exp, log1p, sqrt

import numpy as np

from steelyard.metrics.cases import CaseSums
from steelyard.metrics.cmh import PERMUTED, permutation_variances, stratified_z
from steelyard.metrics.quantiles import normal_below

PARTS = 20  # a fall is split between two kinds of cases in as many ways


def score_drop_p(baseline: CaseSums, current: CaseSums) -> float | None:
    """Return a one-sided p-value for a drop of the mean scores; None where all scores of each case agree.

    Each case's scores are dealt out again to the two runs. Cases with equally many samples in both have a
    symmetric law: 3.18 P(Z <= z). Of the others, a few samples beside many make it skewed: `bennett_tail`.
    Where there are both, the fall is split between them: P(A + B >= t) <= P(A >= s) + P(B >= t - s).
    At one sample per case 3.18 is proven; with more, and equally many, it is on the safe side of the normal
    law. Range: (0, 1]. Source: Bentkus and Dzindzalieta 2015 for the constant; Hoeffding 1963, theorem 4,
    and Bennett 1962 for the rest.

    >>> ten = CaseSums.of(n=[10], total=[10], total_sq=[10])
    >>> one = CaseSums.of(n=[1], total=[0.1], total_sq=[0.01])
    >>> round(score_drop_p(ten, one), 2)  # that the lowest of eleven scores is the one of a run: 1/11
    0.21
    """
    z, are_equal = stratified_z(baseline, current), baseline.n == current.n
    if z is None or z >= 0:
        return None if z is None else 1.0
    fall = float((baseline.means - current.means).sum())
    variances = permutation_variances(baseline, current)
    even = float(variances[are_equal].sum())
    uneven, jump = _uneven(baseline, current, ~are_equal & (variances > 0))
    if uneven == 0:
        return _normal_tail(fall, even)
    if even == 0:
        return bennett_tail(fall, variance=uneven, jump=jump)
    parts = (fall * part / PARTS for part in range(1, PARTS))
    sums = (
        _normal_tail(item, even) + bennett_tail(fall - item, variance=uneven, jump=jump) for item in parts
    )
    return min(1.0, *sums)


def bennett_tail(fall: float, *, variance: float, jump: float) -> float:
    """Bound the chance that a sum of independent terms with mean 0 is at least `fall`.

    exp(-V / b² ((1 + u) log(1 + u) - u)), u = b fall / V, where no term exceeds b and their variances add up
    to V. Holds for draws without replacement too. Range: (0, 1].
    Source: Bennett 1962; Hoeffding 1963, theorem 4.

    >>> round(bennett_tail(2.0, variance=1.0, jump=1e-6), 4), round(exp(-2), 4)
    (0.1353, 0.1353)
    """
    u = jump * fall / variance
    return exp(-variance / jump**2 * ((1 + u) * log1p(u) - u))


def _normal_tail(fall: float, variance: float) -> float:
    return min(1.0, PERMUTED * normal_below(-fall / sqrt(variance)))


def _uneven(baseline: CaseSums, current: CaseSums, rows: np.ndarray) -> tuple[float, float]:
    """Return the variance of a redeal of some cases, drawn with replacement, and its largest single term.

    The run with fewer samples is drawn from all scores of the case; each draw moves the difference of means
    by (1/n0 + 1/n1) times its distance from their mean.
    """
    old, new = baseline.n[rows], current.n[rows]
    weight, drawn, n = 1 / old + 1 / new, np.minimum(old, new), old + new
    mean = (baseline.total + current.total)[rows] / n
    squares = (baseline.total_sq + current.total_sq)[rows] / n - mean**2
    # Fewer in the current run: a fall is low scores there. Fewer in the baseline: high scores there.
    furthest = np.where(new < old, mean, 1 - mean)
    variance = float((drawn * weight**2 * squares).sum())
    return variance, float((weight * furthest).max(initial=0.0))
