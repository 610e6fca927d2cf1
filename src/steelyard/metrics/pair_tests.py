"""Test every pair of runs over the same cases, with one error over all pairs.

The leader is found by looking at the data, and so is who comes second. So every pair counts, in both
directions, whichever of them is then spoken of.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.multiplicity import holm

# Beyond this variance the normal form is off by less than 1e-4, which changes no ranking.
RANKING_VARIANCE = 1_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """Two runs (positions), and how surprising their difference would be if there were none."""

    better: int
    worse: int
    p: float
    p_adjusted: float


def ranked(runs: Sequence[CaseCounts]) -> list[int]:
    """Return the runs (positions) by mean pass rate, the highest first; equal ones stay in their order.

    Range: all positions. Source: none; a sort.

    >>> ranked([CaseCounts.of(n=2, c=[1]), CaseCounts.of(n=2, c=[2])])
    [1, 0]
    """
    rates = [float(run.rates.mean()) for run in runs]
    return sorted(range(len(runs)), key=lambda index: -rates[index])


def pair_tests(runs: Sequence[CaseCounts]) -> list[PairTest]:
    """Test all pairs of runs, the one with the higher mean pass rate first.

    Two-sided p-values of the Cochran-Mantel-Haenszel test, adjusted by Holm for all pairs. They are about
    these cases, resampled. Range: p in [0, 1]. Source: Mantel and Haenszel 1959; Holm 1979.

    >>> [pair] = pair_tests([CaseCounts.of(n=5, c=[0, 1, 0]), CaseCounts.of(n=5, c=[5, 5, 4])])
    >>> pair.better, pair.worse, round(pair.p, 6)
    (1, 0, 4e-06)
    """
    places = list(combinations(ranked(runs), 2))
    p = [_two_sided(runs[better], runs[worse]) for better, worse in places]
    return [
        PairTest(better=better, worse=worse, p=alone, p_adjusted=float(adjusted))
        for (better, worse), alone, adjusted in zip(places, p, holm(p), strict=True)
    ]


def top_set(runs: Sequence[CaseCounts], *, alpha: float = 0.05) -> tuple[int, ...]:
    """Return the runs (positions) not shown to be worse than the one with the highest pass rate.

    Those that `pair_tests` does not tell from the leader. If all runs are equally good, one is left out with
    a chance of alpha at most. Range: at least the leader. Source: as `pair_tests`.

    >>> top_set([CaseCounts.of(n=5, c=[passes] * 4) for passes in (5, 4, 0)])
    (0, 1)
    """
    if not runs:
        return ()
    leader = ranked(runs)[0]
    tests = [pair for pair in pair_tests(runs) if pair.better == leader]
    return tuple(sorted([leader, *(pair.worse for pair in tests if pair.p_adjusted > alpha)]))


def _two_sided(better: CaseCounts, worse: CaseCounts) -> float:
    """Return twice the p-value that the worse one is no worse: only this order may be called settled."""
    return min(1.0, 2 * cmh_test(better, worse, exact_up_to=RANKING_VARIANCE).p)
