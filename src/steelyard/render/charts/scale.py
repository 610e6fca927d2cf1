"""Map numbers to positions along an axis, and choose its tick labels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

TICKS = 5
STEPS = (1, 2, 5, 10)
DECADE = 10
LEAST_SHARE = 0.2
MOST_TICKS = 6  # beyond this number, only powers of ten are labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisScale:
    """A linear or logarithmic axis from `low` to `high`."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_log: bool = False

    def share(self, value: float) -> float:
        """Return a value's position along the axis, from 0 to 1; values outside are clamped."""
        clamped = min(max(value, self.low), self.high)
        low, high, position = (log10(x) if self.is_log else x for x in (self.low, self.high, clamped))
        return (position - low) / (high - low)


SHARES = AxisScale(low=0, high=1, ticks=(0, 0.25, 0.5, 0.75, 1))


def linear(values: Iterable[float], *, include: float | None = None) -> AxisScale:
    """Return an axis that covers all values and `include`, and ends at round numbers.

    >>> linear([-0.07, 0.02], include=0).ticks
    (-0.08, -0.06, -0.04, -0.02, 0.0, 0.02)
    """
    known = [*values, *(() if include is None else (include,))] or [0.0, 1.0]
    low, high = min(known), max(known)
    step = _step((high - low) or abs(high) or 1.0)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    last += first == last
    ticks = tuple(round(number * step, 12) for number in range(first, last + 1))
    return AxisScale(low=ticks[0], high=ticks[-1], ticks=ticks)


def shares(values: Iterable[float]) -> AxisScale:
    """Return an axis for rates that covers all values within 0 and 1.

    >>> shares([0.71, 0.98]).ticks
    (0.7, 0.8, 0.9, 1.0)
    """
    known = [min(max(value, 0.0), 1.0) for value in values]
    axis_scale = linear(known)
    ticks = tuple(tick for tick in axis_scale.ticks if 0 <= tick <= 1)
    # Show at least a fifth of the scale: small differences must not look large.
    return axis_scale if ticks[-1] - ticks[0] >= LEAST_SHARE else linear([*known, *_around(known)])


def _around(known: Sequence[float]) -> tuple[float, float]:
    low = min(max((min(known) + max(known) - LEAST_SHARE) / 2, 0.0), 1 - LEAST_SHARE)
    return round(low, 1), round(low + LEAST_SHARE, 1)


def logarithmic(values: Iterable[float]) -> AxisScale:
    """Return a logarithmic axis that covers all values, which must be above 0.

    >>> logarithmic([0.003, 0.04]).ticks
    (0.002, 0.005, 0.01, 0.02, 0.05)
    """
    known = list(values) or [1.0]
    low, high = floor(log10(min(known))), ceil(log10(max(known)))
    round_ones = [step * float(DECADE) ** power for power in range(low, high + 1) for step in (1, 2, 5)]
    below = [value for value in round_ones if value <= min(known) * (1 + 1e-9)]
    above = [value for value in round_ones if value >= max(known) * (1 - 1e-9)]
    first, last = below[-1], above[0]
    if first == last:
        first, last = first / 2, last * 2
    ticks = tuple(float(f"{value:.3g}") for value in round_ones if first <= value <= last)
    powers = tuple(tick for tick in ticks if log10(tick).is_integer())
    return AxisScale(low=first, high=last, ticks=ticks if len(ticks) <= MOST_TICKS else powers, is_log=True)


def labelled(scale: AxisScale, written: Callable[[float], str]) -> list[tuple[float, str]]:
    """Return the position and label of each tick."""
    return [(scale.share(tick), written(tick)) for tick in scale.ticks]


def _step(width: float) -> float:
    rough = width / TICKS
    power = float(DECADE) ** floor(log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1 - 1e-9))
