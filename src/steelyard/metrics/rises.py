"""Bound how much more of something the same cases take now, such as money or time, without assuming a law.

Costs and times are skewed, and few cases make up most of a total: normal intervals are then too narrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats

SEED = 20261116  # the same amounts get the same draws, on every machine
FEWEST_DRAWS, DRAWS_IN_TAIL = 999, 200
CELLS_AT_ONCE, CELLS_IN_ALL = 2_000_000, 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rise:
    """How much more it is now, 0.1 for ten percent, and the least and the most that are plausible."""

    value: float | None
    smallest: float | None
    largest: float | None


def rise_of(baseline: Sequence[float] | Floats, current: Sequence[float] | Floats, *, alpha: float) -> Rise:
    """Return sum(current) / sum(baseline) - 1 over the same cases, with a bound on either side.

    Each case is left out with a coin's toss, again and again; of the B ratios of what is left, the bounds are
    the k-th smallest and the k-th largest, k = floor(alpha (B + 1)). If a case's current amount follows the
    law of (1 + r) times its baseline, a bound misses r with a chance of at most alpha: a subset's ratio is
    above 1 + r where the sign of what it leaves out flips a sum of symmetric terms. A bound that does not
    exist, such as of four cases or where B draws show no chance as small as alpha, is None. Range: (-1, ∞).
    Source: Hartigan 1969, typical values.

    >>> found = rise_of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.1, 2.2, 3.3, 4.4, 5.5, 6.6], alpha=0.05)
    >>> round(found.smallest, 6), round(found.value, 6), round(found.largest, 6)
    (0.1, 0.1, 0.1)
    """
    old, new = np.asarray(baseline, dtype=np.float64), np.asarray(current, dtype=np.float64)
    if len(old) != len(new) or np.any(old < 0) or np.any(new < 0):
        raise DomainError("a rise compares amounts of the same cases, none of them negative")
    if not old.any():
        nothing = None if new.any() else 0.0  # what was free has no share by which it can rise
        return Rise(value=nothing, smallest=nothing, largest=nothing)
    draws = max(FEWEST_DRAWS, min(int(DRAWS_IN_TAIL / alpha), CELLS_IN_ALL // len(old)) - 1)
    value, index = float(new.sum() / old.sum()) - 1, int(alpha * (draws + 1))
    if index < 1:
        return Rise(value=value, smallest=None, largest=None)
    ratios = _subset_ratios(old, new, draws)
    lows, highs = (np.sort(np.where(np.isnan(ratios), bound, ratios)) for bound in (-inf, inf))
    return Rise(
        value=value,
        smallest=_finite(lows[index - 1]),
        largest=_finite(highs[-index]),
    )


def _subset_ratios(old: Floats, new: Floats, draws: int) -> Floats:
    """Return the ratio in each random subset; not a number where nothing is left, infinite over nothing."""
    rng = np.random.default_rng(SEED)
    sums = np.column_stack([new, old])
    parts = []
    at_once = max(1, CELLS_AT_ONCE // len(old))
    for start in range(0, draws, at_once):
        kept = rng.integers(0, 2, (min(at_once, draws - start), len(old)), dtype=np.int8)
        parts.append(kept.astype(np.float64) @ sums)
    totals = np.concatenate(parts)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(totals[:, 0] / totals[:, 1])


def _finite(ratio: float) -> float | None:
    return float(ratio) - 1 if np.isfinite(ratio) else None
