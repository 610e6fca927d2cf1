"""Find where a row of runs of the same cases changed: slow drift adds up where no single step shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The first run after the best split (a position), what changed there, and how often noise does that."""

    first: int
    change: float
    p: float


def best_split(runs: Sequence[CaseCounts]) -> Split:
    """Return where runs in the order of time part best into earlier and later ones.

    For each place the samples of all runs before it and of all from it on are pooled by case and compared by
    the Cochran-Mantel-Haenszel test, two-sided; p is the smallest, times the number of places. `change` is
    the mean pass rate of the later samples minus that of the earlier ones. Range: two runs or more of the
    same cases; p in (0, 1]. Source: Mantel and Haenszel 1959; Bonferroni's inequality over the places.

    >>> runs = [CaseCounts.of(n=5, c=[passes] * 8) for passes in (5, 5, 3, 3)]
    >>> found = best_split(runs)
    >>> found.first, round(found.change, 2), found.p < 0.001
    (2, -0.4, True)
    """
    if len(runs) < 2 or not len(runs[0]):  # noqa: PLR2004  # before and after
        raise DomainError("a change takes two runs of the same cases, and a case")
    places = range(1, len(runs))
    sides = {index: (_pooled(runs[:index]), _pooled(runs[index:])) for index in places}
    p = {index: _two_sided(*sides[index]) for index in places}
    first = min(places, key=p.__getitem__)
    before, after = sides[first]
    change = float(after.rates.mean() - before.rates.mean())
    return Split(first=first, change=change, p=min(1.0, p[first] * len(places)))


def _pooled(runs: Sequence[CaseCounts]) -> CaseCounts:
    return CaseCounts.of(n=sum(run.n for run in runs), c=sum(run.c for run in runs))


def _two_sided(before: CaseCounts, after: CaseCounts) -> float:
    """Return twice the p-value of a change in the direction in which the means moved."""
    has_fallen = after.rates.mean() <= before.rates.mean()
    return min(1.0, 2 * (cmh_test(before, after) if has_fallen else cmh_test(after, before)).p)
