"""Rank subjects over shared cases, with what chance in the choice of cases does to the ranks.

Rows are subjects, columns the same cases in the same order; the resampling weights hang on the case ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.metrics.bootstrap import (
    REPLICATES,
    RankInterval,
    bootstrap_means,
    front_membership,
    rank_intervals,
)
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.pair_tests import top_set
from steelyard.metrics.quantiles import two_sided

FEWER_REPLICATES = 200
MANY_CASES = 20_000  # from here on ranks hardly move, and fewer replicates do


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSubject:
    """A subject's rank with its range, and whether it is shown to be worse than the best."""

    rank: RankInterval
    in_top_set: bool
    on_front: float | None = None
    is_dominated: bool | None = None


def rank_subjects(
    runs: Sequence[CaseCounts],
    case_ids: Sequence[str],
    *,
    costs: Sequence[Sequence[float]] | None = None,
    level: float = 0.95,
) -> list[RankedSubject]:
    """Return each subject's place by mean pass rate, and with costs its chance to be on the Pareto front.

    Ranks by `rank_intervals` over a bootstrap of cases, the top set by `top_set` at 1 - level, the front by
    `front_membership` of (mean cost of a case, mean pass rate). Range: ranks 1 .. subjects.
    Source: Efron 1979; Holm 1979; weights as `poisson_weights`.

    >>> runs = [CaseCounts.of(n=5, c=[5] * 30), CaseCounts.of(n=5, c=[0] * 30)]
    >>> [place.rank.rank for place in rank_subjects(runs, [str(case) for case in range(30)])]
    [1, 2]
    """
    replicates = FEWER_REPLICATES if len(case_ids) > MANY_CASES else REPLICATES
    rates = np.array([run.rates for run in runs])
    drawn = bootstrap_means(rates, case_ids, replicates=replicates)
    ranks = rank_intervals(rates.mean(axis=1), drawn, level=level)
    best = top_set(runs, alpha=2 * (1 - two_sided(level)))
    ranked_subjects = [RankedSubject(rank=rank, in_top_set=row in best) for row, rank in enumerate(ranks)]
    if costs is None:
        return ranked_subjects
    spent = bootstrap_means(np.array(costs, dtype=np.float64), case_ids, replicates=replicates)
    fronts = front_membership(spent, drawn)
    return [
        RankedSubject(
            rank=index.rank,
            in_top_set=index.in_top_set,
            on_front=front.on_front,
            is_dominated=front.is_dominated,
        )
        for index, front in zip(ranked_subjects, fronts, strict=True)
    ]
