"""Compute the incomplete beta and gamma functions, which the binomial, Student's t and Poisson are made of.

Written here, because a library of hundreds of functions would be loaded for one; tests hold it against
that library and against arithmetic with forty digits.
"""

from math import comb, exp, lgamma, log, log1p, pi

SETTLED = 4e-16  # relative change at which the continued fraction has converged
STEPS = 10_000  # far more than it ever takes: about the square root of the larger parameter
LARGE = 15  # from here on Stirling's series is exact to the last digit
EXACT_TOSSES = 1_000  # up to which whole numbers are quick enough
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


def beta_below(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), for 0 <= x <= 1 and a, b > 0.

    By the continued fraction of DLMF 8.17.22, which converges quickly below the mean; above it by
    I_x(a, b) = 1 - I_{1-x}(b, a).

    >>> [round(beta_below(2, 3, x), 6) for x in (0.0, 0.25, 0.5, 1.0)]
    [0.0, 0.261719, 0.6875, 1.0]
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x <= (a + 1) / (a + b + 2):
        return _lower_part(a, b, x)
    return 1 - _lower_part(b, a, 1 - x)


def gamma_below(a: float, x: float) -> float:
    """Return the regularised incomplete gamma function P(a, x), for a > 0 and x >= 0.

    By the series of DLMF 8.11.4 below the mean, and by 1 minus the continued fraction of 8.9.2 above it.
    P(a, x) with a whole is the chance that a Poisson number of mean x is at least a.

    >>> round(gamma_below(1, 1.0), 9) == round(1 - exp(-1), 9)
    True
    """
    if x <= 0:
        return 0.0
    front = exp(a * log(x) - x - lgamma(a))
    if not front:
        return float(x > a)
    return front * _gamma_series(a, x) if x < a + 1 else 1 - front * _gamma_fraction(a, x)


def binomial_above(successes: int, trials: int, p: float) -> float:
    """Return P(more than `successes` of `trials`), p the chance of a single success; 0 <= successes.

    >>> [binomial_above(0, 2, p) for p in (0.0, 0.5, 1.0)]
    [0.0, 0.75, 1.0]
    """
    return beta_below(successes + 1, trials - successes, p)


def coin_at_most(heads: int, tosses: int) -> float:
    """Return P(at most `heads` heads in `tosses` tosses of a fair coin); 0 <= heads <= tosses.

    >>> coin_at_most(0, 5)
    0.03125
    """
    if heads == tosses:
        return 1.0
    if tosses <= EXACT_TOSSES:
        return sum(comb(tosses, few) for few in range(heads + 1)) / (1 << tosses)
    return beta_below(tosses - heads, heads + 1, 0.5)


def log_beta(a: float, b: float) -> float:
    """Return log B(a, b); for large a and b by Stirling's series, whose large terms cancel on paper.

    >>> round(log_beta(2, 3), 12) == round(log(1 / 12), 12)
    True
    """
    low, high = min(a, b), max(a, b)
    if high < LARGE:
        return lgamma(a) + lgamma(b) - lgamma(a + b)
    total = low + high
    if low < LARGE:
        # log Gamma(high) - log Gamma(total), with the large terms taken together.
        shift = (high - 0.5) * log1p(low / high) + low * (log(total) - 1)
        return lgamma(low) - shift + _stirling(high) - _stirling(total)
    main = (low - 0.5) * log(low / total) + (high - 0.5) * log1p(-low / total) - log(total) / 2
    return main + log(2 * pi) / 2 + _stirling(low) + _stirling(high) - _stirling(total)


def _gamma_series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, STEPS):  # pragma: no branch  # it settles long before
        term *= x / (a + step)
        total += term
        if term < SETTLED * total:
            break
    return total


def _gamma_fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = float("inf"), 1 / b
    total = d
    for step in range(1, STEPS):  # pragma: no branch  # it settles long before
        part = step * (a - step)
        b += 2
        d = 1 / (b + part * d)
        c = b + part / c
        total *= c * d
        if abs(c * d - 1) < SETTLED:
            break
    return total


def _lower_part(a: float, b: float, x: float) -> float:
    """Return I_x(a, b) below the mean."""
    front = exp(a * log(x) + b * log1p(-x) - log_beta(a, b)) / a
    if not front:
        return 0.0  # too far out for a number
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, STEPS):  # pragma: no branch  # it settles long before
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        c, d = 1 + even / c, 1 / (1 + even * d)
        total *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        c, d = 1 + odd / c, 1 / (1 + odd * d)
        total *= c * d
        if abs(c * d - 1) < SETTLED:
            break
    return front * total


def _stirling(x: float) -> float:
    """Return log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2) for x >= 15; the rest is below 1e-17."""
    inverse = 1 / (x * x)
    return sum(factor * inverse**power for power, factor in enumerate(STIRLING)) / x
