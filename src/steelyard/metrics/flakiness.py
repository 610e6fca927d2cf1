"""Say how much of a run's variation is chance within cases, rather than difference between cases.

From counts alone; which cases to mistrust is for the reader to judge.
"""

import numpy as np

from steelyard.metrics.cases import CaseCounts

PAIR = 2  # samples it takes to see a difference


def flip_rate(counts: CaseCounts) -> float | None:
    """Return the chance that two samples of the same case differ; None unless every case has two.

    mean of 2 c (n - c) / (n (n - 1)), unbiased. Range: [0, 1] (at most 1/2 for many samples).
    Source: the unbiased estimate of 2 p (1 - p); Gini 1912.

    >>> round(flip_rate(CaseCounts.of(n=10, c=[10, 10, 0, 5, 8])), 4)
    0.1822
    """
    if len(counts) == 0 or np.any(counts.n < PAIR):
        return None
    n, c = counts.n, counts.c
    return float(np.mean(2 * c * (n - c) / (n * (n - 1))))


def intraclass_correlation(counts: CaseCounts) -> float | None:
    """Return the share of the variance of single samples that lies between cases: ICC(1).

    (MSB - MSW) / (MSB + (n' - 1) MSW) of a one-way analysis of variance on 0/1, n' the common n, or
    (N - sum(n²)/N) / (M - 1) for unequal n. 1: every case repeats itself; 0: cases do not differ.
    None with fewer than two cases, without repeated samples, or when nothing varies at all.
    Range: [-1/(n' - 1), 1]. Source: Shrout and Fleiss 1979, ICC(1, 1).

    >>> round(intraclass_correlation(CaseCounts.of(n=10, c=[10, 10, 0, 5, 8])), 4)
    0.6496
    """
    cases, total = len(counts), int(counts.n.sum())
    if cases < PAIR or total == cases:
        return None
    mean = counts.c.sum() / total
    between = float((counts.n * (counts.rates - mean) ** 2).sum()) / (cases - 1)
    within = float((counts.c * (counts.n - counts.c) / counts.n).sum()) / (total - cases)
    typical = (total - float((counts.n.astype(np.float64) ** 2).sum()) / total) / (cases - 1)
    spread = between + (typical - 1) * within
    return (between - within) / spread if spread else None


def flaky_fraction(counts: CaseCounts) -> float | None:
    """Return the share of cases that both passed and failed; None without cases.

    #{0 < c < n} / M. Grows with n, so show n beside it. Range: [0, 1].
    Source: the usual definition of a flaky test.

    >>> flaky_fraction(CaseCounts.of(n=10, c=[10, 10, 0, 5, 8]))
    0.4
    """
    if len(counts) == 0:
        return None
    return float(np.mean((counts.c > 0) & (counts.c < counts.n)))
