"""Bound how far the mean may have dropped from one run to another, for counts so small that normality fails.

A gate passes by this bound, so it may be too wide but not too narrow: at one sample per case, with every
sample passed, it says what "none of 33 failed" says, and not that nothing can happen.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseSums, Floats, Ints, check_paired
from steelyard.metrics.clusters import as_single_cases
from steelyard.metrics.quantiles import gamma_quantile, rough_gamma_quantile

Quantile = Callable[..., float]  # by probability and shape


def largest_drop(
    baseline: CaseSums,
    current: CaseSums,
    *,
    alpha: float,
    times: float = 1.0,
    clusters: Ints | None = None,
) -> float:
    """Return an upper bound at the confidence 1 - alpha for the drop of the mean score of these cases.

    Pair each case's samples at random. l is the mean share of losses, w that of wins, so that the drop
    is l - w; for scores, losses and wins are jumps of 1 with the same drop and no less spread. U(l) and L(w)
    are the limits of Poisson counts at 1 - alpha, each event weighing 1 / (cases * samples) of
    the run that has fewer; the bound is
    l - w + sqrt((U(l) - l)² + (w - L(w))²). With `times`, about what it would be with
    so many times the samples and the same results; with `clusters`, each is one case (`as_single_cases`).
    Range: [-1, 1]; at least one case.
    Source: Zou and Donner 2008 for joining limits, Fay and Feuer 1997 for limits of weighted counts; that
    it is no less than the drop in 1 - alpha of all runs, by `python -m perf.simulations bounds`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> all_passed = CaseCounts.of(n=1, c=[1] * 33).sums
    >>> round(largest_drop(all_passed, all_passed, alpha=0.05), 4)
    0.0908
    """
    check_paired(baseline, current)
    if len(baseline) == 0:
        raise DomainError("a bound needs at least one shared case")
    shares = np.full(len(baseline), 1 / len(baseline))
    if clusters is not None:
        (baseline, shares), (current, _) = (as_single_cases(run, clusters) for run in (baseline, current))
    dropped = baseline.means - current.means
    squares = _second_moments(baseline) + _second_moments(current) - 2 * baseline.means * current.means
    losses = np.maximum(np.maximum((squares + dropped) / 2, dropped), 0.0)
    weight = shares / np.minimum(baseline.n, current.n) / times
    wins, losses = shares * (losses - dropped), shares * losses
    lost, won = float(losses.sum()), float(wins.sum())
    quantile = gamma_quantile if times == 1 else rough_gamma_quantile  # counts may be very large then
    above = _upper(losses, weight, quantile, alpha=alpha) - lost
    below = won - _lower(wins, weight, quantile, alpha=alpha)
    return min(1.0, float((shares * dropped).sum()) + sqrt(above**2 + below**2))


def _second_moments(sums: CaseSums) -> Floats:
    return np.asarray(sums.total_sq / sums.n, dtype=np.float64)


def _upper(rates: Floats, weight: Floats, quantile: Quantile, *, alpha: float) -> float:
    """Return the upper limit of a weighted count: that of one event more, which weighs most."""
    most = float(weight.max())
    mean = float(rates.sum()) + most
    variance = float((rates * weight).sum()) + most**2
    return variance / mean * quantile(1 - alpha, shape=mean**2 / variance)


def _lower(rates: Floats, weight: Floats, quantile: Quantile, *, alpha: float) -> float:
    mean, variance = float(rates.sum()), float((rates * weight).sum())
    if mean <= 0:
        return 0.0
    return variance / mean * quantile(alpha, shape=mean**2 / variance)
