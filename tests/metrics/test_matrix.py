"""Every run beside every other one."""

import numpy as np
import pytest

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.differences import rerun_difference
from steelyard.metrics.matrix import close_groups, compare_all, informative_samples


def runs(*passes: int, cases: int = 6) -> list[CaseCounts]:
    return [CaseCounts.of(n=10, c=[count] * cases) for count in passes]


def test_every_pair_has_the_better_run_first() -> None:
    found = compare_all(runs(1, 9, 5))

    assert [(pair.better, pair.worse) for pair in found] == [(1, 2), (1, 0), (2, 0)]
    assert all(pair.rerun.value > 0 for pair in found)


def test_intervals_hold_for_all_pairs_at_once() -> None:
    one, other, third = runs(3, 5, 9)
    alone = rerun_difference(one.sums, other.sums, level=1 - 0.05 / 3)

    found = {(pair.better, pair.worse): pair for pair in compare_all([one, other, third])}

    assert found[1, 0].rerun.interval == alone.interval


def test_neighbours_that_are_not_told_apart_make_groups_that_may_overlap() -> None:
    found = compare_all(runs(9, 7, 5, cases=4))
    apart = {(pair.better, pair.worse): pair.is_settled for pair in found}

    assert apart == {(0, 1): False, (0, 2): True, (1, 2): False}
    assert close_groups(found) == [(0, 1), (1, 2)]


def test_runs_that_are_all_told_apart_make_no_group() -> None:
    assert close_groups(compare_all(runs(10, 5, 0, cases=9))) == []


def test_runs_that_are_all_alike_make_one_group() -> None:
    assert close_groups(compare_all(runs(5, 5, 5))) == [(0, 1, 2)]


def test_the_most_telling_samples_are_of_open_cases_with_few_samples() -> None:
    leader = CaseCounts.of(n=[10, 10, 2], c=[10, 5, 1])
    rival = CaseCounts.of(n=[10, 10, 10], c=[10, 4, 6])
    worst = CaseCounts.of(n=[10, 10, 10], c=[0, 0, 0])
    pairs = compare_all([leader, rival, worst])

    assert informative_samples([leader, rival, worst], pairs, limit=3) == [(0, 2), (0, 1), (1, 1)]


def test_nothing_is_drawn_for_a_best_run_that_is_settled() -> None:
    found = runs(10, 1, 1)

    assert informative_samples(found, compare_all(found), limit=5) == []


def test_any_wrong_order_is_as_rare_as_stated() -> None:
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(150):
        rates = rng.beta(0.5, 0.5, 12)
        alike = [CaseCounts.of(n=5, c=rng.binomial(5, rates)) for _ in range(4)]
        wrong += any(pair.is_settled for pair in compare_all(alike))

    assert wrong <= 14  # 7.5 are expected at the most; 14 or fewer in 99 % of such tests


@pytest.mark.parametrize("found", [[], runs(1), [CaseCounts.of(n=[], c=[])] * 2])
def test_a_matrix_needs_two_runs_and_a_case(found: list[CaseCounts]) -> None:
    with pytest.raises(DomainError, match="two runs"):
        compare_all(found)


def test_evidence_for_the_other_order_settles_nothing() -> None:
    # By cases the second run is ahead; by samples, which the test weighs, the first one is.
    first = CaseCounts.of(n=[60, 1, 1], c=[60, 0, 0])
    second = CaseCounts.of(n=[60, 1, 1], c=[30, 1, 1])

    [pair] = compare_all([first, second])

    assert (pair.better, pair.worse) == (1, 0)
    assert not pair.is_settled
