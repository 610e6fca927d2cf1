"""Say how far judges agree beyond chance.

Cohen's kappa for two judges, Krippendorff's alpha for any number of them, with missing ratings. Both come
from tables of counts that add up. Always show raw agreement and prevalence beside them: when nearly all
items are alike, kappa is low although the judges hardly ever differ.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from steelyard.errors import DomainError
from steelyard.metrics.bootstrap import REPLICATES, poisson_weights
from steelyard.metrics.cases import Floats
from steelyard.metrics.quantiles import two_sided
from steelyard.model.estimate import Interval, Target

Rating = TypeVar("Rating", bound=Hashable)

BOOTSTRAP = "bootstrap over items"
DEFINED_SHARE = 0.95  # an interval from fewer usable replicates than this would be about lucky ones
RATINGS_TO_PAIR = 2


class MeasurementScale(StrEnum):
    """What the distance between two ratings means."""

    NOMINAL = "nominal"  # same or different
    ORDINAL = "ordinal"  # an order, no distances
    INTERVAL = "interval"  # numbers, distances count


@dataclass(frozen=True, slots=True, kw_only=True)
class Prevalence:
    """How often two judges gave the same rating, and how each spread its ratings over the categories."""

    agreement: float
    first: tuple[float, ...]
    second: tuple[float, ...]


def confusion(first: Sequence[Rating], second: Sequence[Rating], categories: Sequence[Rating]) -> Floats:
    """Return, item by item, a table with a 1 where row (first judge) and column (second judge) meet.

    Items x categories x categories; summed over the items it is the confusion matrix. Range: {0, 1}.
    Source: Cohen 1960.

    >>> confusion(["yes", "no"], ["yes", "yes"], ["no", "yes"]).sum(axis=0).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    places = {category: index for index, category in enumerate(categories)}
    tables = np.zeros((len(first), len(places), len(places)))
    for item, (entry, other) in enumerate(zip(first, second, strict=True)):
        tables[item, places[entry], places[other]] = 1
    return tables


def cohen_kappa(table: ArrayLike) -> float | None:
    """Return the agreement of two judges beyond chance, from their confusion matrix.

    (p_o - p_e) / (1 - p_e); p_o the share on the diagonal, p_e = sum of row share * column share.
    None when both judges used one and the same category throughout, or there are no items.
    Range: [-1, 1]. Source: Cohen 1960.

    >>> round(cohen_kappa([[20, 5], [10, 15]]), 9)
    0.4
    """
    counts = _square(table)
    total = counts.sum()
    agreed = float(np.trace(counts) * total)
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1))
    room = float(total * total) - by_chance
    return (agreed - by_chance) / room if room > 0 else None


def prevalence(table: ArrayLike) -> Prevalence:
    """Return raw agreement and how each judge's ratings spread, from their confusion matrix.

    Shares of the diagonal, the rows and the columns. Range: [0, 1]; at least one item.
    Source: Feinstein and Cicchetti 1990, on why kappa needs them beside it.

    >>> prevalence([[90, 5], [5, 0]])
    Prevalence(agreement=0.9, first=(0.95, 0.05), second=(0.95, 0.05))
    """
    counts = _square(table)
    total = float(counts.sum())
    if total == 0:
        raise DomainError("agreement needs at least one item")
    first, second = (counts.sum(axis=axis) / total for axis in (1, 0))
    return Prevalence(
        agreement=float(np.trace(counts) / total), first=tuple(first.tolist()), second=tuple(second.tolist())
    )


def coincidences(units: Sequence[Sequence[Rating | None]], categories: Sequence[Rating]) -> Floats:
    """Return, item by item, how often each category meets each other among the item's ratings.

    Every ordered pair of an item's m ratings counts 1 / (m - 1); an item with fewer than two ratings
    counts nothing; None is a missing rating. Items x categories x categories, so it adds up.
    Range: [0, m]. Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".

    >>> coincidences([[1, 1, 2, None]], [1, 2]).tolist()
    [[[1.0, 1.0], [1.0, 0.0]]]
    """
    places = {category: index for index, category in enumerate(categories)}
    tables = np.zeros((len(units), len(places), len(places)))
    for item, ratings in enumerate(units):
        times = np.zeros(len(places))
        for rating in ratings:
            if rating is not None:
                times[places[rating]] += 1
        if times.sum() >= RATINGS_TO_PAIR:
            tables[item] = (np.outer(times, times) - np.diag(times)) / (times.sum() - 1)
    return tables


def krippendorff_alpha(
    table: ArrayLike,
    *,
    scale: MeasurementScale = MeasurementScale.NOMINAL,
    values: Sequence[float] | None = None,
) -> float | None:
    """Return the agreement of any number of judges beyond chance, from their coincidence matrix.

    1 - (n - 1) sum(o_ck d²_ck) / sum(n_c n_k d²_ck), n_c the row sums and n their sum. d² is 0 or 1 for
    nominal ratings; for ordinal (sum of n_g from c to k - (n_c + n_k)/2)²; for interval (c - k)², which
    needs the `values` of the categories. Ordinal categories are given in order. None when only one
    category occurs. Range: (-1, 1]. Source: Krippendorff 2011.

    >>> table = coincidences([[1, 1], [0, 0], [1, 0]], [0, 1]).sum(axis=0)
    >>> round(krippendorff_alpha(table), 4)
    0.4444
    """
    observed = _square(table)
    margins = observed.sum(axis=0)
    distances = _distances(margins, scale, values)
    expected = float((np.outer(margins, margins) * distances).sum())
    if expected == 0:
        return None
    return 1 - float(margins.sum() - 1) * float((observed * distances).sum()) / expected


def agreement_interval(
    tables: Floats,
    statistic: Callable[[Floats], float | None],
    item_ids: Sequence[str],
    *,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Interval:
    """Return the interval of an agreement for other items like these, by resampling the items.

    Percentiles of the statistic over tables summed with `poisson_weights` of the items; no bounds when
    it is undefined in more than 5 % of the replicates. Range: that of the statistic.
    Source: percentile bootstrap, Efron 1979; items, not ratings, are the independent units.

    >>> tables = confusion([0, 1] * 20, [0, 1] * 15 + [1, 0] * 5, [0, 1])
    >>> interval = agreement_interval(tables, cohen_kappa, [str(item) for item in range(40)])
    >>> interval.low < cohen_kappa(tables.sum(axis=0)) < interval.high
    True
    """
    weights = poisson_weights(item_ids, replicates=replicates).astype(np.float64)
    resampled = np.tensordot(weights, tables, axes=(0, 0))
    values = [value for value in map(statistic, resampled) if value is not None]
    tail = 1 - two_sided(level)
    usable = len(values) >= DEFINED_SHARE * replicates
    low, high = np.quantile(values, [tail, 1 - tail]).tolist() if usable else (None, None)
    return Interval(low=low, high=high, level=level, target=Target.NEW_CASES, method=BOOTSTRAP)


def _distances(margins: Floats, scale: MeasurementScale, values: Sequence[float] | None) -> Floats:
    if scale is MeasurementScale.NOMINAL:
        return 1 - np.eye(len(margins))
    if scale is MeasurementScale.ORDINAL:
        middles = np.cumsum(margins) - margins / 2  # sums from c to k, half of both ends taken off
    elif values is None or len(values) != len(margins):
        raise DomainError("interval ratings need the value of every category")
    else:
        middles = np.asarray(values, dtype=np.float64)
    return np.asarray((middles[:, None] - middles[None, :]) ** 2, dtype=np.float64)


def _square(table: ArrayLike) -> Floats:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or np.any(counts < 0):  # noqa: PLR2004 - rows, columns
        raise DomainError(f"expected a square table of counts, got the shape {counts.shape}")
    return counts
