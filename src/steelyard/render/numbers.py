"""Format numbers for people, alike in every human-readable format.

Machine-readable formats contain the raw numbers.
"""

from collections.abc import Callable, Iterable
from math import ceil, log10

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.report import AtK
from steelyard.model.summary import CostOfPass

UNDEFINED = "–"  # noqa: RUF001  # an en dash, the typographic sign for "no value"
RANGE = "–"  # noqa: RUF001  # an en dash, the typographic sign for "to"
SHARE_DECIMALS = 4
STEP_DECIMALS = 12  # smaller differences are floating-point noise
NANO_DECIMALS = 9  # costs are counted in nano-dollars
SIGNIFICANT = 3
TENTH_OF_A_CENT = 0.001
TENTH_OF_A_SECOND = 0.1
POINTS = 100  # points in a score of 1
POINT_DECIMALS = 8  # smaller differences are floating-point noise
TENTH = 0.1
SMALLEST_P = 0.0001
LARGEST_P = 0.99


def or_undefined(value: float | None, written: Callable[[float], str]) -> str:
    """Format a number; a dash if it is undefined.

    >>> or_undefined(0.5, share), or_undefined(None, share) == UNDEFINED
    ('0.5000', True)
    """
    return UNDEFINED if value is None else written(value)


def known_cost(dollars: float | None, *, unpriced: int) -> str:
    """Format a cost; a lower bound if some samples are unpriced.

    >>> known_cost(0.5, unpriced=0), known_cost(0.5, unpriced=3), known_cost(None, unpriced=3) == UNDEFINED
    ('$0.5000', '≥ $0.5000', True)
    """
    if dollars is None:
        return UNDEFINED
    return f"≥ {usd(dollars)}" if unpriced else usd(dollars)


def estimated(estimate: Estimate | None, written: Callable[[float], str]) -> str:
    """Format an estimate; a dash if it is undefined."""
    return or_undefined(None if estimate is None else estimate.value, written)


def estimate_at(estimates: Iterable[AtK], k: int) -> Estimate:
    """Return the estimate for one k."""
    matching = (at.estimate for at in estimates if at.k == k)
    return next(matching, Estimate.undefined(Reason.NOT_MEASURED))


def interval_for(target: Target, estimate: Estimate | None) -> Interval | None:
    """Return the interval of a number for one target, or None."""
    intervals = (interval for interval in estimate.intervals if interval.target is target) if estimate else ()
    return next(iter(intervals), None)


def bounded_interval(target: Target, estimate: Estimate | None) -> Interval | None:
    """Return the interval for one target if both ends are known."""
    interval = interval_for(target, estimate)
    return interval if interval is not None and interval.is_bounded else None


def share(value: float) -> str:
    """Format a score or rate; only exact values are shown as 0 or 1.

    >>> share(0.77), share(1.0), share(0.99999), share(0.00001)
    ('0.7700', '1.0000', '>0.9999', '<0.0001')
    """
    if 0 < value < 10**-SHARE_DECIMALS / 2:
        return f"<{10**-SHARE_DECIMALS:.{SHARE_DECIMALS}f}"
    if 1 - 10**-SHARE_DECIMALS / 2 < value < 1:
        return f">{1 - 10**-SHARE_DECIMALS:.{SHARE_DECIMALS}f}"
    return f"{value:.{SHARE_DECIMALS}f}"


def step(value: float, *, beyond: float | None = None) -> str:
    """Format a difference of scores, with enough digits to distinguish it from a threshold.

    >>> step(-0.0712), step(0.0), step(-0.050001, beyond=0.05)
    ('-0.0712', '0.0000', '-0.050001')
    """
    for decimals in range(SHARE_DECIMALS, STEP_DECIMALS):
        written = f"{value:+.{decimals}f}"
        if beyond is None or abs(float(written)) != beyond or abs(value) == beyond:
            return written if float(written) else f"{0:.{decimals}f}"
    return f"{value:+.{STEP_DECIMALS}f}"


def percent(value: float) -> str:
    """Format a relative change.

    >>> percent(0.2), percent(-0.125), percent(0.0)
    ('+20.0 %', '-12.5 %', '0.0 %')
    """
    written = f"{100 * value:+,.1f}"
    return f"{written} %" if float(written.replace(",", "")) else "0.0 %"


def points(value: float) -> str:
    """Format a difference of scores in points (hundredths), with a sign.

    >>> points(-0.0333), points(0.12), points(0), points(-0.0004)
    ('-3.3', '+12.0', '0.0', '-0.04')
    """
    written = (f"{POINTS * value:+.{decimals}f}" for decimals in (1, 2))
    return next((text for text in written if float(text)), "0.0")


def size_in_points(value: float, *, beside: float | None = None) -> str:
    """Format a difference without sign, with enough digits to distinguish it from another.

    >>> size_in_points(-0.021), size_in_points(0.01), size_in_points(0.0499, beside=0.05)
    ('2.1 points', '1 point', '4.99 points')
    """
    size, other = POINTS * abs(value), None if beside is None else float(f"{POINTS * beside:.12g}")
    written = [f"{size:.{decimals}f}" for decimals in range(1, POINT_DECIMALS)]
    telling = (text for text in written if float(text) != other and (float(text) or not size))
    bare = next(telling, f"{size:.{POINT_DECIMALS}f}").rstrip("0").rstrip(".")
    return f"{bare} point" if bare == "1" else f"{bare} points"


def in_percent(value: float) -> str:
    """Format a probability or share; only exact values are shown as 0 % or 100 %.

    >>> in_percent(0.61), in_percent(0.001), in_percent(0.999), in_percent(1)
    ('61 %', '<1 %', '>99 %', '100 %')
    """
    whole = round(100 * value)
    if value > 0 and whole == 0:
        return "<1 %"
    return ">99 %" if value < 1 and whole == 100 else f"{whole} %"  # noqa: PLR2004 - per cent


def level(value: float) -> str:
    """Format a confidence level or error bound, with all its digits.

    >>> level(0.95), level(0.999), level(0.005)
    ('95 %', '99.9 %', '0.5 %')
    """
    return f"{100 * value:.6g} %"


def p_value(p: float) -> str:
    """Format a p-value for a sentence.

    >>> p_value(0.4123), p_value(0.00042), p_value(1e-9), p_value(0.999), p_value(1)
    ('p = 0.41', 'p = 0.00042', 'p < 0.0001', 'p > 0.99', 'p = 1')
    """
    written = bare_p_value(p)
    return f"p {written}" if written[0] in "<>" else f"p = {written}"


def bare_p_value(p: float) -> str:
    """Format a p-value for a table.

    >>> bare_p_value(0.4123), bare_p_value(1e-9)
    ('0.41', '< 0.0001')
    """
    if p < SMALLEST_P:
        return f"< {SMALLEST_P}"
    if LARGEST_P < p < 1:
        return f"> {LARGEST_P}"
    return f"{p:.2f}" if TENTH <= p < 1 else f"{p:.2g}"


def once_in(p: float) -> str:
    """Format a small probability as a frequency, to precede a noun such as "comparisons".

    >>> once_in(0.0004), once_in(0.03), once_in(1e-12)
    ('once in 2,500', 'once in 33', 'less than once in a million')
    """
    if p < 1e-6:  # noqa: PLR2004 - a million
        return "less than once in a million"
    return f"once in {float(f'{1 / p:.2g}'):,.0f}"


def span(interval: Interval | None) -> str:
    """Format an interval of scores or rates: two decimals, more if it is narrow.

    >>> span(Interval(low=0.6149, high=0.97, level=0.95, target=Target.RERUN, method=""))
    '0.61\u20130.97'
    """
    if interval is None or interval.low is None or interval.high is None:
        return UNDEFINED
    width = max(interval.high - interval.low, 10**-SHARE_DECIMALS)
    decimals = min(SHARE_DECIMALS, max(2, 1 + ceil(-log10(width))))
    return f"{interval.low:.{decimals}f}{RANGE}{interval.high:.{decimals}f}"


def bounds(interval: Interval | None, written: Callable[[float], str], *, to: str = " to ") -> str:
    """Format an interval whose ends may be missing.

    >>> bounds(Interval(low=-0.091, high=0.024, level=0.95, target=Target.RERUN, method=""), points)
    '-9.1 to +2.4'
    >>> bounds(Interval(low=0.0071, high=None, level=0.95, target=Target.NEW_CASES, method=""), usd)
    '≥ $0.0071'
    """
    if interval is None or (interval.low is None and interval.high is None):
        return UNDEFINED
    if interval.high is None:
        return f"≥ {or_undefined(interval.low, written)}"
    if interval.low is None:
        return f"≤ {written(interval.high)}"
    return f"{written(interval.low)}{to}{written(interval.high)}"


def usd(value: float) -> str:
    """Format dollars: two decimals from $1, four below, three digits below $0.001.

    >>> usd(1234.5), usd(0.0123), usd(0.000456789), usd(0)
    ('$1,234.50', '$0.0123', '$0.000457', '$0')
    """
    if value == 0:
        return "$0"
    if value >= 1:
        return f"${value:,.2f}"
    return f"${value:.4f}" if value >= TENTH_OF_A_CENT else f"${_three_digits(value)}"


def plain_usd(value: float) -> str:
    """Format a round amount of dollars for an axis.

    >>> plain_usd(0.00005), plain_usd(0.1), plain_usd(2000), plain_usd(0)
    ('$0.00005', '$0.1', '$2,000', '$0')
    """
    return f"${value:,.{NANO_DECIMALS}f}".rstrip("0").rstrip(".")


def seconds(value: float) -> str:
    """Format seconds: two decimals, three digits below 0.1 s.

    >>> seconds(1234.567), seconds(0.5), seconds(0.00456), seconds(0)
    ('1,234.57', '0.50', '0.00456', '0.00')
    """
    return f"{value:,.2f}" if value >= TENTH_OF_A_SECOND or value == 0 else _three_digits(value)


def significant(value: float) -> str:
    """Format a number with three significant digits.

    >>> significant(0.25), significant(0.000012345), significant(0)
    ('0.25', '1.23e-05', '0')
    """
    return f"{value:.{SIGNIFICANT}g}"


def count(value: int) -> str:
    """Format a count.

    >>> count(20_000_000)
    '20,000,000'
    """
    return f"{value:,}"


def cost_of_pass(cost: CostOfPass | None, *, samples: int) -> str:
    """Format the cost of a pass; without a pass, its lower bound and the reason.

    >>> cost_of_pass(CostOfPass(value=None, infinite=True, lower_bound=1.9315), samples=10)
    '≥ $1.93 (0 of 10 passed)'
    """
    written = pass_costs(cost)
    return f"{written} (0 of {count(samples)} passed)" if cost is not None and cost.infinite else written


def pass_costs(cost: CostOfPass | None) -> str:
    """Format the cost of a pass; without a pass, its lower bound.

    >>> pass_costs(CostOfPass(value=None, infinite=True, lower_bound=1.9315))
    '≥ $1.93'
    """
    if cost is None or not cost.infinite:
        return or_undefined(None if cost is None else cost.value, usd)
    return "infinite" if cost.lower_bound is None else f"≥ {usd(cost.lower_bound)}"


def _three_digits(value: float) -> str:
    exponent = int(f"{value:.{SIGNIFICANT - 1}e}".partition("e")[2])
    return f"{value:.{min(NANO_DECIMALS, SIGNIFICANT - 1 - exponent)}f}"
