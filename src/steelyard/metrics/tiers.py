"""Compare tiers, the named ways of asking, with the baseline tier T0 and with each other.

Works on one number for each tier, usually a median; intervals are made elsewhere.
"""

from collections.abc import Iterable
from fractions import Fraction

from steelyard.metrics.exact import exact
from steelyard.metrics.summaries import population_variance
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.units import Number


def tier_uplift(*, tier: Number | None, baseline: Number | None) -> Estimate:
    """Return the relative improvement of a tier over the baseline, or why there is none.

    (tier - baseline) / baseline; range (-∞, ∞), and [-1, ∞) for scores.
    Undefined for a baseline of 0: a 0 in its place would hide an infinite uplift; see `tier_difference`.
    Source: ProjectScylla metrics formulas page (seed 002), tier uplift.

    >>> tier_uplift(tier="0.90", baseline="0.75").value
    0.2
    >>> tier_uplift(tier="0.90", baseline=0).reason.value
    'baseline_zero'
    """
    if tier is None or baseline is None:
        return _unknown(baseline)
    if exact(baseline) == 0:
        return Estimate.undefined(Reason.BASELINE_ZERO)
    return Estimate.of(float((exact(tier) - exact(baseline)) / exact(baseline)))


def tier_difference(*, tier: Number | None, baseline: Number | None) -> Estimate:
    """Return the absolute improvement of a tier over the baseline, or why there is none.

    tier - baseline; range (-∞, ∞), and [-1, 1] for scores. It stands beside every uplift, defined or not.
    Source: the numerator of tier uplift, ProjectScylla metrics formulas page (seed 002).

    >>> tier_difference(tier="0.90", baseline="0.75").value
    0.15
    """
    if tier is None or baseline is None:
        return _unknown(baseline)
    return Estimate.of(float(exact(tier) - exact(baseline)))


def pass_rate_variance(medians: Iterable[Number]) -> Fraction | None:
    """Return how much the median pass rates of the tiers differ, or None for no tiers.

    sum((median - mean)**2) / tiers, the population form; range [0, 1/4].
    Source: ProjectScylla metrics formulas page (seed 002), pass rate variance.

    >>> pass_rate_variance([1, 0, 1, 0])
    Fraction(1, 4)
    """
    return population_variance(medians)


def cost_variance(medians: Iterable[Number]) -> Fraction | None:
    """Return how much the median costs of the tiers differ, in square dollars, or None for no tiers.

    sum((median - mean)**2) / tiers, the population form; range [0, ∞).
    Source: ProjectScylla metrics formulas page (seed 002), cost variance.

    >>> cost_variance(["0.50", "1.50"])
    Fraction(1, 4)
    """
    return population_variance(medians)


def score_variance(medians: Iterable[Number]) -> Fraction | None:
    """Return how much the median composite scores of the tiers differ, or None for no tiers.

    sum((median - mean)**2) / tiers, the population form; range [0, 1/4].
    Source: ProjectScylla metrics formulas page (seed 002), example 3.

    >>> round(float(score_variance(["0.70", "0.80", "0.85", "0.90"])), 5)
    0.00547
    """
    return population_variance(medians)


def _unknown(baseline: Number | None) -> Estimate:
    return Estimate.undefined(Reason.BASELINE_MISSING if baseline is None else Reason.NOT_MEASURED)
