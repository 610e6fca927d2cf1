"""Where a row of runs changed."""

from itertools import pairwise

import numpy as np
import pytest

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.change_points import best_split
from steelyard.metrics.cmh import cmh_test


def runs(*passes: int) -> list[CaseCounts]:
    return [CaseCounts.of(n=10, c=[count] * 12) for count in passes]


def test_the_split_lies_where_the_runs_changed() -> None:
    found = best_split(runs(9, 9, 9, 6, 6))

    assert found.first == 3
    assert found.change == pytest.approx(-0.3)
    assert found.p < 0.001


def test_a_rise_is_a_change_too() -> None:
    found = best_split(runs(3, 8, 8))

    assert (found.first, round(found.change, 9)) == (1, 0.5)


def test_small_steps_add_up() -> None:
    steps = runs(9, 9, 8, 8, 7, 7)

    alone = min(cmh_test(one, other).p for one, other in pairwise(steps))
    together = best_split(steps)

    assert alone > 0.05 / 5
    assert together.p < 0.001
    assert together.first in {2, 4}


def test_the_p_value_is_two_sided_and_takes_all_places_into_account() -> None:
    one, other = runs(6, 5)

    assert best_split([one, other]).p == pytest.approx(2 * cmh_test(one, other).p)
    third = best_split([one, one, other])
    assert third.p == pytest.approx(2 * 2 * cmh_test(CaseCounts.of(n=20, c=[12] * 12), other).p)


def test_runs_that_are_all_alike_have_a_p_value_of_1() -> None:
    assert best_split(runs(5, 5, 5)).p == 1.0


def test_a_change_where_there_is_none_is_rare() -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(150):
        rates = rng.beta(0.5, 0.5, 12)
        wrong += best_split([CaseCounts.of(n=3, c=rng.binomial(3, rates)) for _ in range(6)]).p <= 0.05

    assert wrong <= 14  # 7.5 are expected at the most; 14 or fewer in 99 % of such tests


@pytest.mark.parametrize("found", [[], runs(1), [CaseCounts.of(n=[], c=[])] * 2])
def test_a_change_takes_two_runs_and_a_case(found: list[CaseCounts]) -> None:
    with pytest.raises(DomainError, match="two runs"):
        best_split(found)


def test_evidence_for_the_other_direction_is_no_change() -> None:
    before = CaseCounts.of(n=[60, 1, 1], c=[60, 0, 0])
    after = CaseCounts.of(n=[60, 1, 1], c=[30, 1, 1])

    found = best_split([before, after])

    assert found.change > 0
    assert found.p > 0.5
