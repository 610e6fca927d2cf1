"""Score how quickly a model answers.

A score of its own, apart from correctness: it enters no other score.
"""

from fractions import Fraction

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact_non_negative
from steelyard.model.units import Number


def latency_score(latency_s: Number, *, good_s: Number, bad_s: Number) -> Fraction:
    """Return 1 at or below a good latency, 0 at or above a bad one, and a straight line between.

    min(1, max(0, (bad - latency) / (bad - good))); range [0, 1].
    Source: FailProof scoring criteria page (seed 004), future enhancements: latency scoring.

    >>> latency_score(2, good_s=1, bad_s=5)
    Fraction(3, 4)
    """
    latency = exact_non_negative(latency_s, "latency_s")
    good, bad = exact_non_negative(good_s, "good_s"), exact_non_negative(bad_s, "bad_s")
    if good >= bad:
        raise DomainError(f"good_s must be less than bad_s, got {good_s} and {bad_s}")
    return min(Fraction(1), max(Fraction(0), (bad - latency) / (bad - good)))
