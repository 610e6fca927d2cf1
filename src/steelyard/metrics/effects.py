"""Say how large a difference between two sets of values is, without assuming a scale.

For pass or fail use the difference in points: Cliff's delta of 0/1 data is the same number.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from steelyard.metrics.cases import Floats


def cliffs_delta(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float | None:
    """Return how much more often a value of `a` exceeds one of `b` than the other way round.

    (#(x > y) - #(x < y)) / (|a| |b|); None when either is empty. Range: [-1, 1].
    Source: Cliff 1993.

    >>> cliffs_delta([4, 5, 6], [1, 2, 6])
    0.4444444444444444
    """
    if len(a) == 0 or len(b) == 0:
        return None
    ordered = np.sort(np.asarray(b, dtype=np.float64))
    values = np.asarray(a, dtype=np.float64)
    above = int(np.searchsorted(ordered, values, side="left").sum())
    below = int((len(ordered) - np.searchsorted(ordered, values, side="right")).sum())
    return (above - below) / (len(values) * len(ordered))


def cliffs_delta_of_histograms(a: Mapping[float, int], b: Mapping[float, int]) -> float | None:
    """Return Cliff's delta from how often each value occurs, so that parts can be added up first.

    As `cliffs_delta`. Range: [-1, 1]. Source: Cliff 1993.

    >>> cliffs_delta_of_histograms({1: 3, 0: 1}, {0: 3, 1: 1})
    0.5
    """
    total_a, total_b = sum(a.values()), sum(b.values())
    if total_a == 0 or total_b == 0:
        return None
    balance, passed = 0, 0  # `passed`: how many of b lie below the value at hand
    for value in sorted(a.keys() | b.keys()):
        here = b.get(value, 0)
        balance += a.get(value, 0) * (passed - (total_b - passed - here))
        passed += here
    return balance / (total_a * total_b)
