"""Describe a list of values by seven numbers: median, mean, mode, smallest, largest, spread and count.

Exact arithmetic throughout, rounded once at the end; the order of the values never matters.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import isqrt, lcm

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact
from steelyard.model.state import Spread
from steelyard.model.summary import Statistics
from steelyard.model.units import Number

NO_STATISTICS = Statistics(median=None, mean=None, mode=None, min=None, max=None, std_dev=None, count=0)


def statistics(values: Iterable[Number]) -> Statistics:
    """Return the seven numbers of a list of values; an empty list has a count of 0 and nothing else.

    median: the middle value, or the mean of the two middle ones; mean = sum / n;
    mode: the most frequent value, the smallest of several (meaningless for continuous data);
    std_dev = sqrt(sum((v - mean)**2) / n), the population form.
    Range: that of the values; std_dev in [0, (max - min) / 2].
    Source: ProjectScylla metrics formulas page (seed 002), aggregate statistics.

    >>> statistics([1, 1, 0, 1, 1, 1, 0, 1, 1, 1])
    Statistics(median=1.0, mean=0.8, mode=1.0, min=0.0, max=1.0, std_dev=0.4, count=10, reason=None)
    """
    times = Counter(exact(value) for value in values)
    unit = lcm(*(value.denominator for value in times))
    return statistics_of_histogram(((int(value * unit), count) for value, count in times.items()), unit=unit)


def statistics_of_histogram(counts: Iterable[tuple[int, int]], *, unit: int) -> Statistics:
    """Return the seven numbers of values given as (value, how often), each value in 1/unit.

    Formulas, range and source as `statistics`; a value may come in several pairs, their counts add up.

    >>> statistics_of_histogram([(0, 2), (1_000_000, 8)], unit=1_000_000).std_dev
    0.4
    """
    histogram = sorted(_merge(counts, unit).items())
    if not histogram:
        return NO_STATISTICS
    lower_middle, upper_middle = _middle_pair(histogram)
    spread = Spread(
        n=sum(times for _, times in histogram),
        sum=sum(value * times for value, times in histogram),
        sum_sq=sum(value * value * times for value, times in histogram),
        lowest=histogram[0][0],
        highest=histogram[-1][0],
        lower_middle=lower_middle,
        upper_middle=upper_middle,
        mode=_most_frequent(histogram),
    )
    return statistics_of_spread(spread, unit=unit)


def statistics_of_spread(spread: Spread, *, unit: int) -> Statistics:
    """Return the seven numbers of values that were counted elsewhere, each value in 1/unit.

    Formulas, range and source as `statistics`.

    >>> spread = Spread(
    ...     n=3, sum=6, sum_sq=14, lowest=1, highest=3, lower_middle=2, upper_middle=2, mode=1
    ... )
    >>> statistics_of_spread(spread, unit=1).median
    2.0
    """
    if not spread.n:
        return NO_STATISTICS
    return Statistics(
        median=(spread.lower_middle + spread.upper_middle) / (2 * unit),
        mean=spread.sum / (spread.n * unit),
        mode=spread.mode / unit,
        min=spread.lowest / unit,
        max=spread.highest / unit,
        std_dev=_root_of_ratio(spread.n * spread.sum_sq - spread.sum * spread.sum, (spread.n * unit) ** 2),
        count=spread.n,
    )


def population_variance(values: Iterable[Number]) -> Fraction | None:
    """Return the exact mean squared distance from the mean, or None for no values.

    sum((v - mean)**2) / n; range [0, ∞).
    Source: ProjectScylla metrics formulas page (seed 002), standard deviation.

    >>> population_variance([0.70, 0.80, 0.85, 0.90])
    Fraction(7, 1280)
    """
    fractions = [exact(value) for value in values]
    if not fractions:
        return None
    mean = sum(fractions, Fraction(0)) / len(fractions)
    return sum(((value - mean) ** 2 for value in fractions), Fraction(0)) / len(fractions)


def _merge(counts: Iterable[tuple[int, int]], unit: int) -> dict[int, int]:
    if unit < 1:
        raise DomainError(f"unit must be at least 1, got {unit}")
    merged: Counter[int] = Counter()
    for value, times in counts:
        if times < 0:
            raise DomainError(f"value {value} must not occur a negative number of times, got {times}")
        merged[value] += times
    return {value: times for value, times in merged.items() if times}


def _middle_pair(histogram: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the two middle values, or the middle value twice for an odd count."""
    ends = list(accumulate(times for _, times in histogram))
    places = (ends[-1] - 1) // 2, ends[-1] // 2
    lower, upper = (histogram[bisect_right(ends, index)][0] for index in places)
    return lower, upper


def _most_frequent(histogram: Sequence[tuple[int, int]]) -> int:
    """Return the most frequent value; `max` keeps the first, and so the smallest, of several."""
    return max(histogram, key=lambda pair: pair[1])[0]


def _root_of_ratio(numerator: int, denominator: int) -> float:
    """Return sqrt(numerator / denominator), correctly rounded.

    The root is taken with at least 54 bits and its last bit set to 1 when inexact ("round to odd"),
    so that the one later rounding to a float sees on which side of a tie the true value lies.
    """
    shift = (numerator.bit_length() - denominator.bit_length() - 109) // 2
    scaled = (numerator << max(0, -2 * shift), denominator << max(0, 2 * shift))
    root = isqrt(scaled[0] // scaled[1])
    odd = root | (root * root * scaled[1] != scaled[0])
    return (odd << max(0, shift)) / (1 << max(0, -shift))
