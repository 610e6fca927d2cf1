"""Put an interval around the difference of two paired runs' mean scores, current minus baseline.

Works on 0/1 counts and on scores alike, from (n, sum, sum of squares) per case and run. Whether a
difference is a drop beyond noise is tested in `metrics/cmh.py`.
"""

from dataclasses import dataclass
from math import fsum, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseSums, Floats, Ints, check_paired
from steelyard.metrics.clusters import cluster_values
from steelyard.metrics.cmh import permutation_variances
from steelyard.metrics.quantiles import normal_quantile, t_quantile, two_sided
from steelyard.model.estimate import Interval, Target

PAIRED_T = "paired t with a pseudo-pair"
PERMUTATION = "pooled within-case z with a pseudo-pair"

PSEUDO_CASES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How much the mean over the shared cases changed, in score units, and between what bounds."""

    value: float
    interval: Interval


def new_case_difference(
    baseline: CaseSums, current: CaseSums, *, level: float = 0.95, clusters: Ints | None = None
) -> Difference:
    """Return the change of the mean score, with its interval for other cases like these.

    d_i is a case's change of mean. Append two pseudo-cases that change by nothing on average and whose
    squares sum to e = 1/n (for unequal n the mean of (1/n0 + 1/n1) / 2), then N = M + 2,
    m = sum(d) / N, and m ± t * sqrt((sum(d²) + e - N m²) / ((N - 1) N)) with N - 1 degrees of freedom.
    With `clusters`, d_i are `cluster_values` of the changes. Range: M >= 1 shared cases; within [-1, 1].
    Source: Agresti and Min 2005 at n = 1, their pseudo-observations scaled by 1/n.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> before, after = CaseCounts.of(n=5, c=[5, 4, 2, 5]), CaseCounts.of(n=5, c=[3, 4, 0, 5])
    >>> found = new_case_difference(before.sums, after.sums)
    >>> round(found.value, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (-0.2, -0.435, 0.168)
    """
    changes = _changes(baseline, current, clusters)
    count = len(changes) + PSEUDO_CASES
    total = fsum(changes)
    centre = total / count
    squares = fsum(change * change for change in changes) + _pseudo_squares(baseline, current)
    deviation = sqrt((squares - count * centre**2) / ((count - 1) * count))
    half = t_quantile(two_sided(level), freedom=count - 1) * deviation
    interval = _interval(centre, half, level=level, target=Target.NEW_CASES, method=PAIRED_T)
    return Difference(value=total / len(changes), interval=interval)


def rerun_difference(
    baseline: CaseSums, current: CaseSums, *, level: float = 0.95, clusters: Ints | None = None
) -> Difference:
    """Return the change of the mean score, with its interval for resampling these same cases.

    mean(d) ± z * sqrt(sum of s_i² (1/n0 + 1/n1) + e) / M, s_i² the variance of a case's scores of both runs
    together and e as in `new_case_difference`. Where n0 and n1 differ, each run has its own variance:
    together, the longer one would speak for both. Range: M >= 1 shared cases; within [-1, 1]. Source: the
    variance of the stratified permutation test; coverage by `python -m perf.simulations coverage`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> before, after = CaseCounts.of(n=5, c=[5, 4, 2, 5]), CaseCounts.of(n=5, c=[3, 4, 0, 5])
    >>> found = rerun_difference(before.sums, after.sums)
    >>> round(found.interval.low, 3), round(found.interval.high, 3)
    (-0.515, 0.115)
    """
    changes = _changes(baseline, current)
    mean = fsum(changes) / len(changes)
    half = normal_quantile(two_sided(level)) * rerun_deviation(baseline, current, clusters)
    interval = _interval(mean, half, level=level, target=Target.RERUN, method=PERMUTATION)
    return Difference(value=mean, interval=interval)


def rerun_deviation(baseline: CaseSums, current: CaseSums, clusters: Ints | None = None) -> float:
    """Return the standard error of the change of the mean score when the same cases are resampled.

    sqrt(sum of s_i² (1/n0 + 1/n1) + e) / M, as in `rerun_difference`. With `clusters`, no less than that of
    the changes of G clusters, sqrt(G / (G - 1) sum of (d_g - mean(d))² + e) / G. Range: (0, ∞].
    Source: as `rerun_difference`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> rerun_deviation(CaseCounts.of(n=4, c=[4]).sums, CaseCounts.of(n=4, c=[4]).sums)
    0.5
    """
    are_equal = baseline.n == current.n
    together = fsum(permutation_variances(baseline, current)[are_equal])
    apart = 0.0 if are_equal.all() else fsum(_own_variance(run, ~are_equal) for run in (baseline, current))
    pseudo = _pseudo_squares(baseline, current)
    alone = sqrt(together + apart + pseudo) / len(baseline)
    return (
        alone
        if clusters is None
        else max(alone, _clustered(current.means - baseline.means, clusters, pseudo))
    )


def _clustered(changes: Floats, clusters: Ints, pseudo: float) -> float:
    """Return the standard error of a mean change by how much the changes of clusters differ."""
    values = cluster_values(changes, clusters)
    if len(values) == 1:
        return inf
    return sqrt(float(values.var(ddof=1)) * len(values) + pseudo) / len(values)


def _own_variance(run: CaseSums, rows: NDArray[np.bool_]) -> float:
    """Return the variance of the sum of some cases' means; single samples have that between their cases."""
    n, total, total_sq = run.n[rows], run.total[rows], run.total_sq[rows]
    single = n == 1
    several = (total_sq - total**2 / np.maximum(n, 1))[~single] / ((n - 1) * n)[~single]
    one_each = total[single]
    between = len(one_each) * float(one_each.var(ddof=1)) if len(one_each) > 1 else len(one_each) / 4
    return max(0.0, float(several.sum())) + between


def _changes(baseline: CaseSums, current: CaseSums, clusters: Ints | None = None) -> list[float]:
    check_paired(baseline, current)
    if len(baseline) == 0:
        raise DomainError("a difference needs at least one shared case")
    changes = current.means - baseline.means
    return [float(change) for change in (changes if clusters is None else cluster_values(changes, clusters))]


def _pseudo_squares(baseline: CaseSums, current: CaseSums) -> float:
    return float(np.mean((1 / baseline.n + 1 / current.n) / 2))


def _interval(centre: float, half: float, *, level: float, target: Target, method: str) -> Interval:
    return Interval(
        low=max(-1.0, centre - half), high=min(1.0, centre + half), level=level, target=target, method=method
    )
