"""Put an interval around a mean of case values in [0, 1]: pass@k, pass^k, scores.

Two questions, two intervals, always labelled: the score on other cases like these (`NEW_CASES`), or the
score when these cases are resampled (`RERUN`). Differences and ratios have modules of their own.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import (
    ROUNDING,
    CaseCounts,
    Floats,
    Ints,
    MeanSums,
    distinct,
    pass_at_k_of_cases,
)
from steelyard.metrics.clusters import cluster_values
from steelyard.metrics.pass_at_k import pass_at_k_variance
from steelyard.metrics.quantiles import normal_quantile, t_quantile, two_sided
from steelyard.model.estimate import Interval, Target

T_PSEUDO_CASES = "t with 2 pseudo-cases"
T_PSEUDO_CLUSTERS = "t with 2 pseudo-clusters"
SUITES = "t with 2/S pseudo-cases a suite"
WITHIN_CASES = "within-case z with 2 pseudo-cases"
WILSON = "Wilson"

PSEUDO_CASES = 2.0  # one at 0 and one at 1, or their share


class _Part(NamedTuple):
    """The mean of one suite with its pseudo-cases, the variance of that mean, and its freedom."""

    mean: float
    variance: float
    freedom: float


def mean_interval(
    values: Sequence[float] | Floats, *, level: float = 0.95, clusters: Ints | None = None
) -> Interval:
    """Return the interval of the mean over cases for the score on new cases.

    Append one case at 0 and one at 1; then mean ± t * s / sqrt(M + 2) with M + 1 degrees of freedom,
    clipped to [0, 1]. With `clusters`, the number of each case's cluster, all of this over `cluster_values`.
    Range: M >= 1 values in [0, 1]. Holds the raw mean for every level of 0.69 or more.
    Source: the cluster form of Agresti and Coull 1998; its coverage is measured by
    `python -m perf.simulations coverage`, where plain t, z and bootstraps fall as low as 10 % near 0 and 1.

    >>> interval = mean_interval([1.0] * 10)
    >>> round(interval.low, 3), interval.high
    (0.733, 1.0)
    """
    column = np.asarray(values, dtype=np.float64)
    if not np.all((column >= -ROUNDING) & (column <= 1 + ROUNDING)):
        raise DomainError("case values lie between 0 and 1")
    if clusters is None:
        return mean_interval_of_sums(MeanSums.of(column), level=level)
    part = _with_pseudo_cases(MeanSums.of(cluster_values(column, clusters)), PSEUDO_CASES)
    return _t_interval(part, level=level, method=T_PSEUDO_CLUSTERS)


def mean_interval_of_sums(sums: MeanSums, *, level: float = 0.95) -> Interval:
    """Return what `mean_interval` returns, from sums that may have been added up from parts.

    With S = sum + 1, Q = sum of squares + 1 and N = M + 2: S/N ± t * sqrt((Q - S²/N) / ((N - 1) N)).
    Range: M >= 1 values in [0, 1]. Source: as `mean_interval`.

    >>> half = MeanSums(count=5, total=5, total_sq=5)
    >>> mean_interval_of_sums(half + half) == mean_interval([1.0] * 10)
    True
    """
    _require_shares(sums)
    part = _with_pseudo_cases(sums, PSEUDO_CASES)
    return _t_interval(part, level=level, method=T_PSEUDO_CASES)


def suite_mean_interval(
    suites: Sequence[MeanSums], *, weights: Sequence[float] | None = None, level: float = 0.95
) -> Interval:
    """Return the interval of the (weighted) mean of suite means, for new cases in these suites.

    Each of S suites gets 2/S pseudo-cases, half at 0 and half at 1 (with weights: 2 * its share of the
    weight). Then sum(w_s * mean_s) ± t * sqrt(sum(w_s² * variance_s)), Satterthwaite's freedom, clipped
    to [0, 1]. Range: at least one suite, none empty, values in [0, 1]. One suite gives `mean_interval`.
    Source: Satterthwaite 1946 for the freedom; two pseudo-cases in every suite would pull ten good
    suites so far down that the interval misses more often than it hits.

    >>> suite = MeanSums.of([1.0, 0.0, 1.0, 1.0])
    >>> interval = suite_mean_interval([suite, suite])
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.326, 1.0)
    """
    shares = _shares(len(suites), weights)
    parts = [
        _with_pseudo_cases(sums, PSEUDO_CASES * share)
        for sums, share in zip(suites, shares, strict=True)
        if share > 0
    ]
    used = [share for share in shares if share > 0]
    variances = [share**2 * part.variance for share, part in zip(used, parts, strict=True)]
    variance = fsum(variances)
    spread = fsum(each**2 / part.freedom for each, part in zip(variances, parts, strict=True))
    mean = fsum(share * part.mean for share, part in zip(used, parts, strict=True))
    total = _Part(mean=mean, variance=variance, freedom=max(1.0, variance**2 / spread))
    return _t_interval(total, level=level, method=SUITES)


def rerun_interval(
    counts: CaseCounts,
    *,
    k: int = 1,
    level: float = 0.95,
    independent: CaseCounts | None = None,
    clusters: Ints | None = None,
) -> Interval:
    """Return the interval of the mean pass@k for resampling these same cases.

    mean ± z * sqrt(sum of v_i + 2w) / M, clipped to [0, 1]. v_i is case i's unbiased sampling variance,
    u_k² - u_2k, which is p(1-p)/(n-1) at k = 1; the sum is clipped at 0. w is the largest variance a case
    can have, (k/2)(1 - 1/2k)^(2k-1) / n to first order: two pseudo-cases of the flakiest kind, coin flips
    at k = 1. Range: M >= 1. When a case has fewer than 2k samples the variance cannot be seen; the wider
    `mean_interval` stands in, and its target says so. Where answers repeat, `independent` counts each once:
    the variance is theirs. With `clusters`, the cases of each vary together: (sum of sqrt(v_i))² of each.
    Source: Hoeffding 1948 for v_i; coverage by `python -m perf.simulations coverage`.

    >>> interval = rerun_interval(CaseCounts.of(n=10, c=[10, 10, 0, 5]))
    >>> interval.target.value, round(interval.low, 3), round(interval.high, 3)
    ('rerun', 0.488, 0.762)
    >>> rerun_interval(CaseCounts.of(n=1, c=[1, 1, 0])).target.value
    'new_cases'
    """
    values = pass_at_k_of_cases(counts, k=k)
    seen = counts if independent is None else independent
    if len(counts) == 0 or np.any(seen.n < 2 * k):
        return mean_interval(values, level=level, clusters=clusters)
    pseudo = PSEUDO_CASES * (k / 2) * (1 - 1 / (2 * k)) ** (2 * k - 1) * float(np.mean(1 / seen.n))
    deviation = sqrt(max(0.0, _summed_variance(seen, k, clusters)) + pseudo) / len(counts)
    half = normal_quantile(two_sided(level)) * deviation
    mean = fsum(values) / len(counts)
    return Interval(
        low=max(0.0, mean - half),
        high=min(1.0, mean + half),
        level=level,
        target=Target.RERUN,
        method=WITHIN_CASES,
    )


def wilson(*, passed: int, total: int, level: float = 0.95, target: Target = Target.NEW_CASES) -> Interval:
    """Return the score interval of a share of independent trials.

    (p + z²/2n ± z * sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), the end at an all-or-nothing share exact.
    Range: 0 <= passed <= total, total >= 1; within [0, 1]. Right for one sample per case; for several
    samples per case use `mean_interval`, since they are not independent.
    Source: Wilson 1927.

    >>> interval = wilson(passed=7, total=10)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.397, 0.892)
    """
    if not 0 <= passed <= total or total < 1:
        raise DomainError(f"passes lie between 0 and the number of trials, got {passed} of {total}")
    z_sq = normal_quantile(two_sided(level)) ** 2
    centre = passed + z_sq / 2
    half = sqrt(z_sq * (passed * (total - passed) / total + z_sq / 4))
    return Interval(
        low=(centre - half) / (total + z_sq) if passed else 0.0,
        high=(centre + half) / (total + z_sq) if passed < total else 1.0,
        level=level,
        target=target,
        method=WILSON,
    )


def _require_shares(sums: MeanSums) -> None:
    slack = ROUNDING * sums.count
    if not -slack <= sums.total_sq <= sums.total + slack <= sums.count + 2 * slack:
        raise DomainError(f"no {sums.count} values in [0, 1] have the sums {sums.total} and {sums.total_sq}")


def _with_pseudo_cases(sums: MeanSums, weight: float) -> _Part:
    if sums.count < 1:
        raise DomainError("an interval needs at least one case")
    count = sums.count + weight
    mean = (sums.total + weight / 2) / count
    squares = sums.total_sq + weight / 2 - count * mean**2
    freedom = sums.count - 1 + weight  # and not `count - 1`, where the weight of one case may be lost
    return _Part(mean=mean, variance=squares / (freedom * count), freedom=freedom)


def _t_interval(part: _Part, *, level: float, method: str) -> Interval:
    half = t_quantile(two_sided(level), freedom=part.freedom) * sqrt(part.variance)
    return Interval(
        low=max(0.0, part.mean - half),
        high=min(1.0, part.mean + half),
        level=level,
        target=Target.NEW_CASES,
        method=method,
    )


def _shares(suites: int, weights: Sequence[float] | None) -> list[float]:
    if suites < 1:
        raise DomainError("an overall interval needs at least one suite")
    if weights is None:
        return [1 / suites] * suites
    if len(weights) != suites or min(weights) < 0 or fsum(weights) <= 0:
        raise DomainError(f"{suites} suites need as many weights, none negative, not all 0; got {weights}")
    total = fsum(weights)
    return [weight / total for weight in weights]


def _summed_variance(counts: CaseCounts, k: int, clusters: Ints | None) -> float:
    rows = distinct(counts.n, counts.c)
    each = np.array([pass_at_k_variance(n=n, c=c, k=k) for n, c in rows.values.tolist()])
    if clusters is None:
        return fsum((each * rows.times).tolist())
    deviations = np.bincount(clusters, weights=np.sqrt(np.maximum(each, 0.0))[rows.where])
    return float((deviations**2).sum())
