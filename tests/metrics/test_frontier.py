from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.frontier import Ratio, frontier_cost_of_pass, frontier_of_ratios, near_cheapest
from steelyard.model.summary import FrontierCostOfPass
from tests.golden_values import golden

Problems = Sequence[Sequence[Ratio | None]]
ratios = st.tuples(st.integers(0, 10**12), st.integers(1, 10**6))
problems = st.lists(st.lists(st.none() | ratios, max_size=4), max_size=8)


def frontier_problems() -> list[list[float | None]]:
    """Return the golden costs of pass, problem by problem."""
    table = golden()["cost_of_pass"]["frontier"]["per_problem_cop"]
    return [[None if cost == "Infinity" else cost for cost in row.values()] for row in table.values()]


def test_the_frontier_equals_the_golden_value_bit_for_bit() -> None:
    row = golden()["cost_of_pass"]["frontier"]

    frontier = frontier_cost_of_pass(frontier_problems(), human_cost=row["human_cost"])

    assert frontier == FrontierCostOfPass(value=row["frontier"], infinite=False, problems=3, capped=1)


def test_the_frontier_without_a_human_is_infinite_if_one_problem_is() -> None:
    frontier = frontier_cost_of_pass(frontier_problems())

    assert frontier == FrontierCostOfPass(value=None, infinite=True, problems=3, capped=0)


def test_the_frontier_of_each_problem_is_its_cheapest_way() -> None:
    row = golden()["cost_of_pass"]["frontier"]

    singles = [frontier_cost_of_pass([costs], human_cost=row["human_cost"]) for costs in frontier_problems()]

    assert [single.value for single in singles] == list(row["frontier_per_problem"].values())


def test_a_human_who_is_cheaper_than_every_model_sets_the_price() -> None:
    frontier = frontier_cost_of_pass([["0.50", 2], [0.5, None]], human_cost="0.5")

    assert frontier == FrontierCostOfPass(value=0.5, infinite=False, problems=2, capped=0)
    assert frontier_cost_of_pass([[3]], human_cost=2).capped == 1


def test_the_frontier_of_no_problems_is_neither_a_number_nor_infinite() -> None:
    frontier = frontier_cost_of_pass([], human_cost=20)

    assert frontier == FrontierCostOfPass(value=None, infinite=False, problems=0, capped=0)


def test_the_frontier_refuses_a_negative_cost() -> None:
    with pytest.raises(DomainError, match=r"^cost.*-3$"):
        frontier_cost_of_pass([[1, -3]])


def by_fractions(problems: Problems, human_cost: Fraction | None) -> FrontierCostOfPass:
    """Return the frontier by the formula as it is written down, with a fraction for each cost."""
    by_model = [min((Fraction(*cost) for cost in costs if cost), default=None) for costs in problems]
    by_anyone = [
        min((cost for cost in (model, human_cost) if cost is not None), default=None) for model in by_model
    ]
    finite = [cost for cost in by_anyone if cost is not None]
    is_known = bool(by_anyone) and len(finite) == len(by_anyone)
    return FrontierCostOfPass(
        value=float(sum(finite, Fraction(0)) / len(finite)) if is_known else None,
        infinite=len(finite) < len(by_anyone),
        problems=len(by_anyone),
        capped=sum(model != anyone for model, anyone in zip(by_model, by_anyone, strict=True)),
    )


@given(problems=problems, human=st.none() | ratios)
def test_pairs_of_integers_give_what_fractions_give(problems: Problems, human: Ratio | None) -> None:
    human_cost = human and Fraction(*human)

    assert frontier_of_ratios(problems, human_cost=human_cost) == by_fractions(problems, human_cost)
    assert frontier_cost_of_pass(
        [[cost and Fraction(*cost) for cost in costs] for costs in problems], human_cost=human_cost
    ) == by_fractions(problems, human_cost)


@given(cost=ratios, factor=st.integers(1, 1000))
def test_a_human_as_dear_as_the_model_decides_nothing(cost: Ratio, factor: int) -> None:
    expanded = (cost[0] * factor, cost[1] * factor)

    assert frontier_of_ratios([[expanded]], human_cost=Fraction(*cost)).capped == 0


# Close to each other and large, so that some are equal, and some differ by less than a float can tell.
close = st.tuples(st.integers(10**17, 10**17 + 3), st.sampled_from([0, 1, 2, 10**16, 10**16 + 1]))


@given(
    st.integers(1, 4).flatmap(
        lambda models: st.lists(st.lists(close, min_size=models, max_size=models), min_size=1, max_size=6)
    ),
    st.none() | ratios,
)
def test_the_models_that_may_be_the_cheapest_give_the_frontier_of_all(
    problems: list[list[Ratio]], human: Ratio | None
) -> None:
    above, below = ([[cost[part] for cost in row] for row in zip(*problems, strict=True)] for part in (0, 1))
    human_cost = human and Fraction(*human)
    infinite_as_none = [[cost if cost[1] else None for cost in costs] for costs in problems]

    chosen = near_cheapest(above, below)

    few = [[costs[model] for model in models] for costs, models in zip(problems, chosen, strict=True)]
    assert frontier_of_ratios(few, human_cost=human_cost) == frontier_of_ratios(
        infinite_as_none, human_cost=human_cost
    )


def test_a_pass_that_costs_nothing_is_the_cheapest() -> None:
    assert near_cheapest([[0, 5], [3, 0]], [[2, 1], [1, 4]]) == [[0], [1]]
