"""Treat similar cases, such as variants of one task or issues of one repository, as a cluster.

Cases of a cluster may pass or fail together; only clusters are taken to be independent.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from steelyard.metrics.cases import CaseSums, Floats, Ints

SEED = 20261120  # the same changes get the same signs, on every machine
FEWEST_DRAWS, MOST_DRAWS = 999, 9_999
CELLS_AT_ONCE, CELLS_IN_ALL = 2_000_000, 60_000_000
ROUNDING = 1e-9


def cluster_numbers(names: Sequence[Hashable]) -> Ints | None:
    """Return the number of each case's cluster, from 0; None where every case is alone.

    >>> cluster_numbers(["a", "b", "a"]).tolist(), cluster_numbers(["a", "b"])
    ([0, 1, 0], None)
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if len(numbers) == len(names):
        return None
    return np.array([numbers[name] for name in names], dtype=np.int64)


def cluster_values(values: Floats, clusters: Ints) -> Floats:
    """Return one value per cluster: their mean is that of all cases, their variance the clustered one.

    m + (sum over the cluster of (x - m)) / (cases / clusters), m the mean of all cases. Range: that of the
    values, or beyond for a large cluster. Source: Miller 2024 (arXiv:2411.00640), clustered standard errors.

    >>> cluster_values(np.array([1.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 1])).tolist()
    [1.0, 0.0]
    """
    sizes = np.bincount(clusters)
    mean = float(values.mean())
    excess = np.bincount(clusters, weights=values - mean)
    return np.asarray(mean + excess * len(sizes) / len(values), dtype=np.float64)


def cluster_totals(amounts: Sequence[float] | Floats, clusters: Ints | None) -> Floats:
    """Return the sum of the amounts of each cluster; without clusters, the amounts.

    >>> cluster_totals([1.0, 2.0, 4.0], np.array([0, 1, 0])).tolist()
    [5.0, 2.0]
    """
    column = np.asarray(amounts, dtype=np.float64)
    if clusters is None:
        return column
    return np.asarray(np.bincount(clusters, weights=column), dtype=np.float64)


def cluster_drop_p(baseline: CaseSums, current: CaseSums, clusters: Ints) -> float | None:
    """Return the one-sided p-value that the mean over cases did not drop; None where no cluster changed.

    The two runs of each cluster are exchanged by a coin toss, again and again; p is the share of tosses with
    a drop at least as large. With equally many samples in both runs it is exact, however the cases of a
    cluster depend on each other. Range: (0, 1]. Source: Fisher 1935, the sign test of paired differences.

    >>> six = CaseSums.of(n=[1] * 12, total=[1] * 12, total_sq=[1] * 12)
    >>> none = CaseSums.of(n=[1] * 12, total=[0] * 12, total_sq=[0] * 12)
    >>> round(cluster_drop_p(six, none, np.repeat(np.arange(6), 2)), 2)  # 1 of 64
    0.02
    """
    changes = np.bincount(clusters, weights=current.means - baseline.means)
    changes = changes[np.abs(changes) > ROUNDING]
    if not len(changes):
        return None
    draws = max(FEWEST_DRAWS, min(MOST_DRAWS, CELLS_IN_ALL // len(changes)))
    rng = np.random.default_rng([SEED, len(changes)])
    limit, at_once, count = changes.sum() + ROUNDING, max(1, CELLS_AT_ONCE // len(changes)), 1
    for start in range(0, draws, at_once):
        signs = rng.integers(0, 2, (min(at_once, draws - start), len(changes)), dtype=np.int8)
        count += int(((2.0 * signs - 1.0) @ changes <= limit).sum())
    return count / (draws + 1)


def as_single_cases(sums: CaseSums, clusters: Ints) -> tuple[CaseSums, Floats]:
    """Return each cluster as one case, and its share of all cases.

    Its samples are as many as the fewest of a case, its second moment the largest its cases allow:
    (mean of sqrt(E x²))², as if their results rose and fell together. Range: means in [0, 1], shares that
    add up to 1. Source: the Cauchy-Schwarz inequality.

    >>> sums = CaseSums.of(n=[2, 2, 2], total=[2, 1, 0], total_sq=[2, 1, 0])
    >>> merged, shares = as_single_cases(sums, np.array([0, 1, 1]))
    >>> merged.means.tolist(), shares.round(2).tolist()
    ([1.0, 0.25], [0.33, 0.67])
    """
    sizes = np.bincount(clusters)
    n = np.full(len(sizes), np.iinfo(np.int64).max)
    np.minimum.at(n, clusters, sums.n)
    mean = np.bincount(clusters, weights=sums.means) / sizes
    roots = np.sqrt(np.maximum(sums.total_sq / sums.n, 0.0))
    second = (np.bincount(clusters, weights=roots) / sizes) ** 2
    return CaseSums(n=n, total=mean * n, total_sq=second * n), sizes / len(clusters)
