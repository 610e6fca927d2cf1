"""Recognise a threshold that a mean of stored scores meets exactly.

Scores are stored in whole micro-points. A score of 19/30 is therefore off by up to half a micro-point, and so
is a mean of such scores: 0.65 comes out as 0.6499997 and would miss a cut that it meets.
"""

from collections.abc import Iterable
from fractions import Fraction

from steelyard.model.units import MICRO_POINTS

HALF_A_STEP = Fraction(1, 2 * MICRO_POINTS)


def are_whole(*, score_sum: int, score_sq: int) -> bool:
    """Whether all scores of a case are 0 or 1, which are stored exactly, from their sum and sum of squares.

    sum of s² = sum of s, in micro-points; each s lies in [0, 1]. Source: s² < s strictly between 0 and 1.

    >>> are_whole(score_sum=2_000_000, score_sq=2 * 10**12), are_whole(score_sum=633_333, score_sq=633_333**2)
    (True, False)
    """
    return score_sq == score_sum * MICRO_POINTS


def rounding_of_mean(whole: Iterable[bool]) -> Fraction:
    """Return how far rounding may have moved a mean over cases; `whole` is `are_whole` of each case.

    Half a micro-point times the share of cases that hold a rounded score. Range: [0, 1/2,000,000].
    Source: the mean of errors of at most half a step each.

    >>> rounding_of_mean([True, False])
    Fraction(1, 4000000)
    """
    rounded = [not each for each in whole]
    return HALF_A_STEP * Fraction(sum(rounded), len(rounded)) if rounded else Fraction(0)


def rounding_of_change(*sides: bool) -> Fraction:
    """Return how far rounding may have moved the difference of two means; `sides` are `are_whole` of each.

    Half a micro-point for each side that holds a rounded score. Range: [0, 1/1,000,000].
    Source: as `rounding_of_mean`; errors of a difference add up.

    >>> rounding_of_change(False, False)
    Fraction(1, 1000000)
    """
    return HALF_A_STEP * sum(not side for side in sides)


def snapped(value: Fraction, marks: Iterable[Fraction], *, rounding: Fraction) -> Fraction:
    """Return the mark that the value stands for as far as rounding lets us know, or else the value itself.

    A mark m with |value - m| <= rounding. Range: any. Source: the definition of a tie.

    >>> mean = Fraction(633_333 + 633_333 + 683_333, 3 * 10**6)
    >>> snapped(mean, [Fraction(75, 100), Fraction(65, 100)], rounding=HALF_A_STEP)
    Fraction(13, 20)
    """
    return next((mark for mark in marks if abs(value - mark) <= rounding), value)
