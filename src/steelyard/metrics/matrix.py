"""Compare every run with every other one, paired by case, with one error over all pairs.

Rows are the same cases in every run; which run is called what is not known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.bootstrap import RANKING_VARIANCE
from steelyard.metrics.cases import CaseCounts, Floats
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.differences import Difference, new_case_difference, rerun_difference
from steelyard.metrics.multiplicity import holm


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPair:
    """Two runs (positions), the difference of their mean pass rates, and whether they are told apart."""

    better: int
    worse: int
    new_cases: Difference
    rerun: Difference
    p: float
    p_adjusted: float
    is_settled: bool


def compare_all(runs: Sequence[CaseCounts], *, level: float = 0.95) -> list[RunPair]:
    """Compare all pairs of runs, the one with the higher mean pass rate first.

    Intervals at 1 - (1 - level) / pairs, so that all of them hold at once; two-sided p-values of the
    Cochran-Mantel-Haenszel test, adjusted by Holm; a pair is settled where that is at most 1 - level.
    Range: two runs or more, one case or more. Source: Bonferroni's inequality; Holm 1979; `cmh_test`.

    >>> [pair] = compare_all([CaseCounts.of(n=5, c=[0, 1, 0]), CaseCounts.of(n=5, c=[5, 5, 4])])
    >>> pair.better, pair.worse, pair.is_settled, round(pair.rerun.value, 3)
    (1, 0, True, 0.867)
    """
    if len(runs) < 2 or not len(runs[0]):  # noqa: PLR2004  # a pair
        raise DomainError("a matrix needs two runs of the same cases, and a case")
    order = ranked(runs)
    places = [(better, worse) for better, worse in combinations(order, 2)]
    each = 1 - (1 - level) / len(places)
    p = [_two_sided(runs[better], runs[worse]) for better, worse in places]
    return [
        RunPair(
            better=better,
            worse=worse,
            new_cases=new_case_difference(runs[worse].sums, runs[better].sums, level=each),
            rerun=rerun_difference(runs[worse].sums, runs[better].sums, level=each),
            p=p[row],
            p_adjusted=float(adjusted),
            is_settled=bool(adjusted <= 1 - level),
        )
        for row, ((better, worse), adjusted) in enumerate(zip(places, holm(p), strict=True))
    ]


def ranked(runs: Sequence[CaseCounts]) -> list[int]:
    """Return the runs (positions) by mean pass rate, the highest first; equal ones stay in their order.

    Range: all positions. Source: none; a sort.

    >>> ranked([CaseCounts.of(n=2, c=[1]), CaseCounts.of(n=2, c=[2])])
    [1, 0]
    """
    rates = [float(run.rates.mean()) for run in runs]
    return sorted(range(len(runs)), key=lambda place: -rates[place])


def close_groups(pairs: Sequence[RunPair]) -> list[tuple[int, ...]]:
    """Return the longest stretches of the ranking in which no two runs are told apart; several may overlap.

    Range: groups of two runs or more. Source: Piepho 2004, letters of all pairs, by the ranking.

    >>> runs = [CaseCounts.of(n=5, c=[passes] * 4) for passes in (5, 4, 0)]
    >>> close_groups(compare_all(runs))
    [(0, 1)]
    """
    order = list(dict.fromkeys(place for pair in pairs for place in (pair.better, pair.worse)))
    apart = {(pair.better, pair.worse) for pair in pairs if pair.is_settled}
    found: list[tuple[int, ...]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any((one, order[end]) in apart for one in order[start:end]):
            end += 1
        group = tuple(order[start:end])
        if len(group) > 1 and not any(set(group) <= set(other) for other in found):
            found.append(group)
    return found


def telling_draws(
    runs: Sequence[CaseCounts], pairs: Sequence[RunPair], *, limit: int
) -> list[tuple[int, int]]:
    """Return of which run and case (positions) one more sample tells most about the best run.

    Those of the leader and of all runs that it is not told apart from, by how much a sample lowers the
    variance of the run's mean: p (1 - p) / (n (n + 1)), p = (c + 1/2) / (n + 1). Nothing once the leader is
    settled. Range: up to `limit` pairs. Source: Neyman 1934, one sample at a time.

    >>> runs = [CaseCounts.of(n=4, c=[4, 2]), CaseCounts.of(n=4, c=[4, 1])]
    >>> telling_draws(runs, compare_all(runs), limit=1)
    [(0, 1)]
    """
    leader = pairs[0].better
    rivals = [pair.worse for pair in pairs if pair.better == leader and not pair.is_settled]
    if not rivals:
        return []
    gains = [
        (-float(gain), run, case) for run in (leader, *rivals) for case, gain in enumerate(_gains(runs[run]))
    ]
    return [(run, case) for _, run, case in sorted(gains)[:limit]]


def _gains(run: CaseCounts) -> Floats:
    rates = (run.c + 0.5) / (run.n + 1)
    return np.asarray(rates * (1 - rates) / (run.n * (run.n + 1)))


def _two_sided(better: CaseCounts, worse: CaseCounts) -> float:
    """Return twice the p-value that the worse one is no worse: only this order may be called settled."""
    return min(1.0, 2 * cmh_test(better, worse, exact_up_to=RANKING_VARIANCE).p)
