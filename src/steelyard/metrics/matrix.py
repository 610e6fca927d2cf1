"""Compare every run with every other one, paired by case, with one error over all pairs.

Rows are the same cases in every run; which run is called what is not known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, Floats
from steelyard.metrics.differences import Difference, new_case_difference, rerun_difference
from steelyard.metrics.pair_tests import pair_tests


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

    Intervals at 1 - (1 - level) / pairs, so that all of them hold at once; p-values as `pair_tests`; a pair
    is settled where the adjusted one is at most 1 - level. Range: two runs or more, one case or more.
    Source: Bonferroni's inequality; as `pair_tests`.

    >>> [pair] = compare_all([CaseCounts.of(n=5, c=[0, 1, 0]), CaseCounts.of(n=5, c=[5, 5, 4])])
    >>> pair.better, pair.worse, pair.is_settled, round(pair.rerun.value, 3)
    (1, 0, True, 0.867)
    """
    if len(runs) < 2 or not len(runs[0]):  # noqa: PLR2004  # a pair
        raise DomainError("a matrix needs two runs of the same cases, and a case")
    tests = pair_tests(runs)
    each = 1 - (1 - level) / len(tests)
    return [
        RunPair(
            better=pair.better,
            worse=pair.worse,
            new_cases=new_case_difference(runs[pair.worse].sums, runs[pair.better].sums, level=each),
            rerun=rerun_difference(runs[pair.worse].sums, runs[pair.better].sums, level=each),
            p=pair.p,
            p_adjusted=pair.p_adjusted,
            is_settled=pair.p_adjusted <= 1 - level,
        )
        for pair in tests
    ]


def close_groups(pairs: Sequence[RunPair]) -> list[tuple[int, ...]]:
    """Return the longest stretches of the ranking in which no two runs are told apart; several may overlap.

    Range: groups of two runs or more. Source: Piepho 2004, letters of all pairs, by the ranking.

    >>> runs = [CaseCounts.of(n=5, c=[passes] * 4) for passes in (5, 4, 0)]
    >>> close_groups(compare_all(runs))
    [(0, 1)]
    """
    order = list(dict.fromkeys(index for pair in pairs for index in (pair.better, pair.worse)))
    apart = {(pair.better, pair.worse) for pair in pairs if pair.is_settled}
    groups: list[tuple[int, ...]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any((item, order[end]) in apart for item in order[start:end]):
            end += 1
        group = tuple(order[start:end])
        if len(group) > 1 and not any(set(group) <= set(other) for other in groups):
            groups.append(group)
    return groups


def informative_samples(
    runs: Sequence[CaseCounts], pairs: Sequence[RunPair], *, limit: int
) -> list[tuple[int, int]]:
    """Return of which run and case (positions) one more sample tells most about the best run.

    Those of the leader and of all runs that it is not told apart from, by how much a sample lowers the
    variance of the run's mean: p (1 - p) / (n (n + 1)), p = (c + 1/2) / (n + 1). Nothing once the leader is
    settled. Range: up to `limit` pairs. Source: Neyman 1934, one sample at a time.

    >>> runs = [CaseCounts.of(n=4, c=[4, 2]), CaseCounts.of(n=4, c=[4, 1])]
    >>> informative_samples(runs, compare_all(runs), limit=1)
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
