"""Give the quantiles and tail areas that intervals and tests are made of.

The only door to `scipy.special` for them, so that the rest of the formulas deal in plain floats.
"""

from scipy import special

from steelyard.errors import DomainError


def two_sided(level: float) -> float:
    """Return the probability below the upper end of a two-sided interval: (1 + level) / 2.

    Defined for 0 < level < 1.

    >>> two_sided(0.95)
    0.975
    """
    if not 0 < level < 1:
        raise DomainError(f"a confidence level lies between 0 and 1, got {level}")
    return (1 + level) / 2


def normal_quantile(probability: float) -> float:
    """Return z with P(Z <= z) = probability, Z standard normal; 0 < probability < 1.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return float(special.ndtri(probability))


def normal_below(z: float) -> float:
    """Return P(Z <= z), Z standard normal; accurate far into the lower tail.

    >>> normal_below(0.0)
    0.5
    """
    return float(special.ndtr(z))


def t_quantile(probability: float, *, freedom: float) -> float:
    """Return t with P(T <= t) = probability, T Student's t with `freedom` > 0 degrees of freedom.

    >>> round(t_quantile(0.975, freedom=11), 6)
    2.200985
    """
    return float(special.stdtrit(freedom, probability))
