"""Similar cases are one unit: tests and intervals must not count them as independent."""

import numpy as np
import pytest

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, Ints
from steelyard.metrics.clusters import as_single_cases, cluster_drop_p, cluster_numbers, cluster_values
from steelyard.metrics.confirmation import confirm_decision, confirm_plan
from steelyard.metrics.differences import new_case_difference, rerun_difference
from steelyard.metrics.gates import decide_once
from steelyard.metrics.intervals import mean_interval, rerun_interval
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.plausible import largest_drop
from steelyard.model.estimate import Interval
from steelyard.model.verdict import Ground, Verdict

PAIRS = np.repeat(np.arange(40), 2)
ALONE = np.arange(80)


def width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return interval.high - interval.low


def alike(rates: np.ndarray, clusters: Ints, *, seed: int, n: int = 5) -> CaseCounts:
    """Sample all cases of a cluster by the same random numbers, so that they pass and fail together."""
    thrown = np.random.default_rng(seed).random((len(np.unique(clusters)), n))[clusters]
    return CaseCounts.of(n=n, c=(thrown < rates[:, None]).sum(axis=1))


def test_copies_of_a_case_tell_no_more_than_the_case() -> None:
    once = [1.0, 0.0, 0.5, 1.0, 0.8] * 8
    twice = [value for value in once for _ in range(2)]

    clustered = mean_interval(twice, clusters=PAIRS)

    assert clustered.low == pytest.approx(mean_interval(once).low)
    assert width(clustered) > 1.3 * width(mean_interval(twice))


def test_clusters_of_one_case_change_no_number() -> None:
    values = [1.0, 0.0, 0.5, 0.8] * 20
    before, after = CaseCounts.of(n=5, c=[5, 3] * 40), CaseCounts.of(n=5, c=[4, 3] * 40)

    assert cluster_numbers(list(ALONE)) is None
    assert mean_interval(values, clusters=ALONE).low == pytest.approx(mean_interval(values).low)
    assert largest_drop(before.sums, after.sums, alpha=0.05, clusters=ALONE) == pytest.approx(
        largest_drop(before.sums, after.sums, alpha=0.05)
    )
    assert rerun_interval(before, clusters=ALONE) == rerun_interval(before)


def test_unequal_clusters_keep_the_mean_of_all_cases() -> None:
    values = np.array([1.0, 1.0, 1.0, 0.0, 0.5])
    clusters = np.array([0, 0, 0, 1, 2])

    assert cluster_values(values, clusters).mean() == pytest.approx(0.7)
    merged, shares = as_single_cases(CaseCounts.of(n=2, c=[2, 2, 2, 0, 1]).sums, clusters)
    assert float((merged.means * shares).sum()) == pytest.approx(0.7)


def test_differences_of_clusters_are_wider_and_keep_their_value() -> None:
    before = CaseCounts.of(n=5, c=[5, 5, 1, 1] * 20).sums
    after = CaseCounts.of(n=5, c=[4, 4, 2, 2] * 20).sums

    for difference in (new_case_difference, rerun_difference):
        plain, clustered = difference(before, after), difference(before, after, clusters=PAIRS)
        assert clustered.value == pytest.approx(plain.value)
        assert width(clustered.interval) > width(plain.interval)


def test_one_cluster_shows_no_difference_at_all() -> None:
    before, after = CaseCounts.of(n=5, c=[5] * 4).sums, CaseCounts.of(n=5, c=[0] * 4).sums

    found = rerun_difference(before, after, clusters=np.zeros(4, dtype=np.int64))

    assert (found.interval.low, found.interval.high) == (-1, 1)


def test_a_drop_of_every_cluster_is_seen_and_a_rise_is_none() -> None:
    before, after = CaseCounts.of(n=5, c=[5] * 80).sums, CaseCounts.of(n=5, c=[4] * 80).sums

    drop, rise = cluster_drop_p(before, after, PAIRS), cluster_drop_p(after, before, PAIRS)

    assert drop is not None
    assert drop < 0.001
    assert rise == 1.0
    assert cluster_drop_p(before, before, PAIRS) is None


def test_the_gate_still_names_a_case_that_broke_in_a_cluster() -> None:
    before, after = CaseCounts.of(n=5, c=[5] * 80), CaseCounts.of(n=5, c=[0] + [5] * 79)

    found = decide_once(PairedRuns(baseline=before, current=after, clusters=PAIRS))

    assert found.verdict is Verdict.FAIL
    assert found.evidence.broken_cases == (0,)
    assert found.grounds == (Ground.BROKEN_CASES,)


def test_cases_that_fail_together_are_no_drop() -> None:
    """Ten copies of each task: the plain gate takes a few unlucky tasks for dozens of broken cases."""
    clusters = np.repeat(np.arange(16), 10)
    rates = np.repeat(np.random.default_rng(5).beta(2, 1, 16), 10)

    def failed(*, seed: int, known: bool) -> bool:
        before, after = (alike(rates, clusters, seed=2 * seed + run) for run in (0, 1))
        runs = PairedRuns(baseline=before, current=after, clusters=clusters if known else None)
        return decide_once(runs).verdict is Verdict.FAIL

    assert sum(failed(seed=seed, known=True) for seed in range(20)) <= 2
    assert sum(failed(seed=seed, known=False) for seed in range(20)) >= 4


def test_fresh_samples_of_one_cluster_do_not_confirm_each_other() -> None:
    before = CaseCounts.of(n=1, c=[1] * 80)
    plan = confirm_plan(PairedRuns(baseline=before, current=CaseCounts.of(n=1, c=[0] * 4 + [1] * 76)))
    old, new = CaseCounts.of(n=10, c=[8] * 4), CaseCounts.of(n=10, c=[5] * 4)

    alone = confirm_decision(plan, old, new)
    clustered = confirm_decision(plan, old, new, clusters=np.zeros(4, dtype=np.int64))

    assert alone.verdict is Verdict.FAIL
    assert clustered.verdict is not Verdict.FAIL


def test_values_outside_zero_and_one_are_refused_in_clusters_too() -> None:
    with pytest.raises(DomainError):
        mean_interval([2.0, 0.0], clusters=np.array([0, 0]))
