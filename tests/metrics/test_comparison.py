"""Weighing two paired runs against each other."""

import numpy as np
import pytest
from scipy import stats

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.comparison import RunComparison, compare_runs, score_differences
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.estimate import Target


def compared(baseline: CaseCounts, current: CaseCounts) -> RunComparison:
    return compare_runs(PairedRuns(baseline=baseline, current=current))


def test_a_broken_case_stands_out_and_a_flaky_one_does_not() -> None:
    before = CaseCounts.of(n=10, c=[10, 6, *[10] * 20])
    after = CaseCounts.of(n=10, c=[0, 4, *[10] * 20])

    found = compared(before, after)

    assert found.standing_out == {0}
    assert (found.worse, found.better) == (2, 0)


def test_nothing_stands_out_with_one_sample_a_case() -> None:
    found = compared(CaseCounts.of(n=1, c=[1] * 30), CaseCounts.of(n=1, c=[0] * 3 + [1] * 27))

    assert not found.standing_out
    assert found.drop.p == pytest.approx(stats.binomtest(3, 3, 0.5, alternative="greater").pvalue)


def test_both_targets_are_labelled_and_hold_the_difference() -> None:
    found = compared(CaseCounts.of(n=5, c=[5, 4, 3, 0]), CaseCounts.of(n=5, c=[4, 4, 4, 0]))

    assert (found.new_cases.interval.target, found.rerun.interval.target) == (Target.NEW_CASES, Target.RERUN)
    for difference in (found.new_cases, found.rerun):
        assert (difference.interval.low or 0) <= difference.value <= (difference.interval.high or 0)


def test_swapping_the_runs_turns_the_difference_around() -> None:
    before, after = CaseCounts.of(n=5, c=[5, 4, 3]), CaseCounts.of(n=5, c=[1, 4, 5])

    forth, back = compared(before, after), compared(after, before)

    assert forth.rerun.value == pytest.approx(-back.rerun.value)
    assert (forth.worse, forth.better) == (back.better, back.worse)


def test_runs_of_different_cases_are_refused() -> None:
    with pytest.raises(DomainError):
        compared(CaseCounts.of(n=1, c=[1]), CaseCounts.of(n=1, c=[1, 1]))


def test_score_differences_agree_with_those_of_passes_for_whole_scores() -> None:
    before, after = CaseCounts.of(n=5, c=[5, 4, 3]), CaseCounts.of(n=5, c=[1, 4, 5])
    sums = [
        CaseSums.of(n=run.n, total=run.c.astype(np.float64), total_sq=run.c.astype(np.float64))
        for run in (before, after)
    ]

    new_cases, rerun = score_differences(sums[0], sums[1])

    assert rerun == compared(before, after).rerun
    assert new_cases == compared(before, after).new_cases
