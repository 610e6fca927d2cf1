"""Ranking subjects over shared cases."""

import pytest

from steelyard.metrics import ranking as module
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.ranking import rank_subjects

IDS = [f"case-{place}" for place in range(60)]


def _run(passes: int) -> CaseCounts:
    return CaseCounts.of(n=5, c=[passes] * 30 + [5] * 15 + [0] * 15)


def test_a_clear_leader_stands_alone() -> None:
    found = rank_subjects([_run(0), _run(5)], IDS)

    assert [place.rank.rank for place in found] == [2, 1]
    assert [place.in_top_set for place in found] == [False, True]


def test_equal_subjects_share_the_rank_and_the_top_set() -> None:
    found = rank_subjects([_run(3), _run(3)], IDS)

    assert {place.rank.rank for place in found} == {1}
    assert all(place.in_top_set for place in found)
    assert found[0].rank.high == 2


def test_without_costs_there_is_no_front() -> None:
    assert rank_subjects([_run(3), _run(4)], IDS)[0].on_front is None


def test_a_dearer_and_worse_subject_is_dominated() -> None:
    found = rank_subjects([_run(5), _run(1)], IDS, costs=[[0.01] * 60, [0.05] * 60])

    assert (found[0].on_front, found[0].is_dominated) == (1.0, False)
    assert (found[1].on_front, found[1].is_dominated) == (0.0, True)


def test_the_order_of_the_cases_does_not_matter() -> None:
    turned = [CaseCounts.of(n=run.n[::-1], c=run.c[::-1]) for run in (_run(2), _run(3))]

    assert rank_subjects(turned, IDS[::-1]) == rank_subjects([_run(2), _run(3)], IDS)


def test_with_very_many_cases_fewer_replicates_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_CASES", 10)

    found = rank_subjects([_run(0), _run(5)], IDS)

    assert [place.rank.rank for place in found] == [2, 1]
