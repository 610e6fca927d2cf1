"""Distinguish regressions from improvements by the size of the change alone.

The threshold rule of the origin, exactly; it knows nothing of noise, which is the gate's business.
"""

from fractions import Fraction
from typing import NamedTuple

from steelyard.metrics.exact import exact, exact_non_negative
from steelyard.model.comparison import ChangeKind
from steelyard.model.units import Number

DEFAULT_THRESHOLD = Fraction(5, 100)

NO_ROUNDING = Fraction(0)

Share = tuple[int, int]  # a part and the whole it is of


class ScoreShift(NamedTuple):
    """How a score moved, and from where to where."""

    kind: ChangeKind
    baseline: float
    current: float
    delta: float


def change_kind(*, baseline: Number, current: Number, threshold: Number = DEFAULT_THRESHOLD) -> ChangeKind:
    """Return how a score changed: a step of exactly the threshold is no change.

    regression if current - baseline < -threshold, improvement if > threshold, in absolute points;
    range: the three kinds.
    Source: forgetest scoring page (seed 000), regression detection.

    >>> change_kind(baseline=0.90, current=0.85, threshold=0.05).value
    'unchanged'
    >>> change_kind(baseline=0.90, current=0.8499, threshold=0.05).value
    'regression'
    """
    step, limit = exact(current) - exact(baseline), exact_non_negative(threshold, "threshold")
    if step < -limit:
        return ChangeKind.REGRESSION
    return ChangeKind.IMPROVEMENT if step > limit else ChangeKind.UNCHANGED


def change_of_shares(
    baseline: Share, current: Share, *, threshold: Fraction, rounding: Fraction = NO_ROUNDING
) -> ScoreShift:
    """Return what `change_kind` returns and the change itself, for scores given as part / whole.

    Formula, range and source as `change_kind`; whole numbers throughout, for 10^5 cases at a time. A change
    that rounding of the stored scores may have carried off the threshold is one of exactly the threshold.

    >>> change_of_shares((9, 10), (17, 20), threshold=Fraction(1, 20))
    ScoreShift(kind=<ChangeKind.UNCHANGED: 'unchanged'>, baseline=0.9, current=0.85, delta=-0.05)
    """
    (old, of_old), (new, of_new) = baseline, current
    moved, scale = new * of_old - old * of_new, of_old * of_new
    excess = abs(moved) * threshold.denominator - threshold.numerator * scale
    if rounding and abs(excess) <= rounding * scale * threshold.denominator:
        step = float(threshold) if moved > 0 else -float(threshold)
        return ScoreShift(ChangeKind.UNCHANGED, old / of_old, new / of_new, step)
    if excess <= 0:
        kind = ChangeKind.UNCHANGED
    else:
        kind = ChangeKind.REGRESSION if moved < 0 else ChangeKind.IMPROVEMENT
    return ScoreShift(kind, old / of_old, new / of_new, moved / scale)
