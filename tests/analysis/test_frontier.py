"""The frontier: every case goes to whoever solves it most cheaply, or else to an expert."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.analysis.frontier import _as_seen, _smoothed
from steelyard.metrics.cost import cost_of_pass
from steelyard.model.report_runs import Frontier
from steelyard.model.state import CaseState
from tests.analysis.counted import reported

HEADER = "model,case,attempt,passed,cost_usd\n"


def lines(model: str, case: str, passes: int, *, cost: float) -> str:
    return "".join(f"{model},{case},{n},{n < passes},{cost}\n" for n in range(4))


TEXT = (
    HEADER
    + lines("cheap", "easy", 4, cost=0.1)
    + lines("dear", "easy", 4, cost=1)
    + lines("cheap", "hard", 0, cost=0.1)
    + lines("dear", "hard", 2, cost=1)
    + lines("cheap", "never", 0, cost=0.1)
    + lines("dear", "never", 0, cost=1)
)


def frontier(folder: Path, text: str, **options: object) -> Frontier | None:
    return reported(folder, text, **options).frontier


def test_each_case_goes_to_the_cheapest_and_the_rest_to_the_expert(tmp_path: Path) -> None:
    found = frontier(tmp_path, TEXT, expert_usd=Fraction(20))

    assert found is not None
    assert found.value == pytest.approx((0.1 + 2 + 20) / 3)
    assert (found.cases, found.capped, found.unsolved, found.infinite) == (3, 1, 1, False)
    # Half a pass in one sample more: 0.1 / 0.9, and twice 0.1 / 0.1, below the expert's price.
    assert found.smoothed == pytest.approx((0.1 / 0.9 + 1 + 1) / 3)


def test_an_expert_who_is_cheaper_decides_too(tmp_path: Path) -> None:
    found = frontier(tmp_path, TEXT, expert_usd=Fraction(1))

    assert found is not None
    assert (found.capped, found.unsolved) == (2, 1)


def test_without_an_expert_an_unsolved_case_is_infinitely_dear(tmp_path: Path) -> None:
    found = frontier(tmp_path, TEXT)

    assert found is not None
    assert (found.value, found.infinite, found.expert_usd) == (None, True, None)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + lines("cheap", "easy", 4, cost=0.1),
        "model,case,passed\na,x,True\nb,x,True\n",
        HEADER + lines("a", "x", 4, cost=1) + lines("b", "y", 4, cost=1),
        TEXT + "cheap,easy,4,True,\n",
    ],
    ids=["one subject", "no costs", "no shared case", "one sample without a cost"],
)
def test_there_is_none_without_costs_of_several_subjects(tmp_path: Path, text: str) -> None:
    assert frontier(tmp_path, text) is None


def test_there_is_none_where_a_stop_rule_decided_how_often_a_case_was_drawn(tmp_path: Path) -> None:
    assert frontier(tmp_path, TEXT, stop_rule="maximum=4,passes=4") is None
    assert frontier(tmp_path, TEXT) is not None


@given(data=st.data(), n=st.integers(1, 100), cost_n=st.integers(1, 100), cost_sum=st.integers(0, 10**13))
def test_the_costs_of_a_case_are_those_of_the_formula(
    data: st.DataObject, n: int, cost_n: int, cost_sum: int
) -> None:
    c = data.draw(st.integers(0, n))
    state = CaseState("m", "t", "s", "x", n=n, c=c, cost_n=cost_n, cost_sum=cost_sum)
    mean_cost = Fraction(cost_sum, cost_n) / 10**9

    (above,), (below,) = _as_seen([state])
    seen = Fraction(above, below) if below else None
    (above,), (below,) = _smoothed([state])

    assert seen == cost_of_pass(cost=mean_cost, pass_rate=Fraction(c, n))
    assert Fraction(above, below) == cost_of_pass(cost=mean_cost, pass_rate=(c + Fraction(1, 2)) / (n + 1))
