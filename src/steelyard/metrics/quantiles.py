"""Give the quantiles and tail areas that intervals and tests are made of."""

from functools import lru_cache
from math import erfc, exp, log, log1p, sqrt
from statistics import NormalDist

from steelyard.errors import DomainError
from steelyard.metrics.special import beta_below, gamma_below, log_beta

MANY = 1_000.0  # degrees of freedom from which on the series in 1/freedom is exact to the last digits
FEW = 3.0  # degrees of freedom up to which that series is no good even as a guess
NEWTON_STEPS = 60  # far more than the four or so that it takes
HALVINGS = 60  # of an interval: to the last digit
SETTLED = 1e-13  # relative change after which the next one, the square of it, is nothing

_NORMAL = NormalDist()


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
    """Return z with P(Z <= z) = probability, for 0 < probability < 1.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return _NORMAL.inv_cdf(probability)


def normal_below(z: float) -> float:
    """Return P(Z <= z), Z standard normal; accurate far into the lower tail.

    >>> normal_below(0.0)
    0.5
    """
    return erfc(-z / sqrt(2)) / 2


@lru_cache(maxsize=1024)  # a report asks for the same few again and again
def t_quantile(probability: float, *, freedom: float) -> float:
    """Return t with P(T <= t) = probability, T Student's t with `freedom` > 0 degrees of freedom.

    >>> round(t_quantile(0.975, freedom=11), 6)
    2.200985
    """
    if probability == 1 / 2:
        return 0.0
    above = min(probability, 1 - probability)
    t = _many_quantile(above, freedom)
    if freedom <= MANY:
        t = _polish(t, above, freedom)
    return t if probability > above else -t


@lru_cache(maxsize=1024)
def gamma_quantile(probability: float, *, shape: float) -> float:
    """Return x with P(X <= x) = probability, X gamma with `shape` > 0 and scale 1; by halving an interval.

    >>> round(gamma_quantile(0.95, shape=1), 6)
    2.995732
    """
    low, high = 0.0, shape + 1
    while gamma_below(shape, high) < probability:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if gamma_below(shape, middle) < probability else (low, middle)
    return high


def rough_gamma_quantile(probability: float, *, shape: float) -> float:
    """Return about what `gamma_quantile` does, at once: Wilson and Hilferty 1931.

    >>> round(rough_gamma_quantile(0.95, shape=1), 2), round(rough_gamma_quantile(0.95, shape=1000), 2)
    (2.97, 1052.58)
    """
    z = normal_quantile(probability)
    return shape * max(0.0, 1 - 1 / (9 * shape) + z / (3 * sqrt(shape))) ** 3


def _many_quantile(above: float, freedom: float) -> float:
    """Return t with P(T > t) = above, for many degrees of freedom: Abramowitz and Stegun 26.7.5."""
    z = -normal_quantile(above)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def _polish(guess: float, above: float, freedom: float) -> float:
    """Return t with P(T > t) = above < 1/2: Newton's method on the logarithm of the area above."""
    t = max(guess, 0.0) if freedom > FEW else _two_quantile(above)
    for _ in range(NEWTON_STEPS):  # pragma: no branch  # it settles long before
        area = _t_above(t, freedom)
        step = area * log(area / above) / _t_density(t, freedom)
        t = max(t + step, t / 10)
        if abs(step) <= SETTLED * t:
            break
    return t


def _two_quantile(above: float) -> float:
    """Return the quantile for two degrees of freedom, which has a formula: a guess for fewer than three."""
    return (1 - 2 * above) * sqrt(1 / (2 * above * (1 - above)))


def _t_above(t: float, freedom: float) -> float:
    share = freedom / (freedom + t * t)
    return beta_below(freedom / 2, 0.5, share) / 2


def _t_density(t: float, freedom: float) -> float:
    logs = -(freedom + 1) / 2 * log1p(t * t / freedom) - log(freedom) / 2 - log_beta(freedom / 2, 0.5)
    return exp(logs)
