"""Work out the frontier cost of pass: each problem goes to the model that solves it most cheaply.

Exact: costs are compared and added as pairs of integers, which is ten times faster than fractions.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from steelyard.metrics.exact import exact_non_negative
from steelyard.model.summary import FrontierCostOfPass
from steelyard.model.units import Number

NEAR = 1e-9

Ratio = tuple[int, int]  # numerator, not negative, and positive denominator; not reduced
Rows = Sequence[Sequence[int]]  # a row for each model, a column for each problem


def frontier_cost_of_pass(
    problems: Iterable[Iterable[Number | None]], *, human_cost: Number | None = None
) -> FrontierCostOfPass:
    """Return the mean over problems of the cheapest model's cost of pass, capped by a human's price.

    mean over problems of min(cost of pass of each model, human_cost); range [0, ∞].
    Each problem lists its models' costs of pass, None for an infinite one; if even the cheapest is infinite
    for one problem, so is the mean.
    Problems without an observed pass take the human's price, so the figure falls as samples are added:
    show `capped` beside it.
    Source: Erol et al. 2025 (arXiv:2504.13359).

    >>> frontier_cost_of_pass([[0.5, 2], [None, 4], [None, None]], human_cost=20)
    FrontierCostOfPass(value=8.166666666666666, infinite=False, problems=3, capped=1)
    """
    return frontier_of_ratios((map(_ratio, costs) for costs in problems), human_cost=human_cost)


def frontier_of_ratios(
    problems: Iterable[Iterable[Ratio | None]], *, human_cost: Number | None = None
) -> FrontierCostOfPass:
    """Return what `frontier_cost_of_pass` returns, from costs that are ratios of integers.

    Formula, range and source: as there.

    >>> frontier_of_ratios([[(1, 2), (2, 1)], [None, (8, 2)], [None, None]], human_cost=20)
    FrontierCostOfPass(value=8.166666666666666, infinite=False, problems=3, capped=1)
    """
    by_model = [_cheapest(costs) for costs in problems]
    human = _ratio(human_cost)
    by_anyone = [_cheapest((cost, human)) for cost in by_model]
    finite = [cost for cost in by_anyone if cost is not None]
    known = bool(by_anyone) and len(finite) == len(by_anyone)
    return FrontierCostOfPass(
        value=float(_sum(finite) / len(finite)) if known else None,
        infinite=len(finite) < len(by_anyone),
        problems=len(by_anyone),
        capped=sum(model is not anyone for model, anyone in zip(by_model, by_anyone, strict=True)),
    )


def near_cheapest(above: Rows, below: Rows) -> list[list[int]]:
    """Return for each problem (column) the models (rows) whose cost, above / below, may be the smallest.

    Those within a thousand millionth of the smallest float, which is far more than rounding; so one model for
    nearly every problem. A denominator of 0 stands for an infinite cost; no models where all costs are.
    Range: rows in ascending order. Source: a quotient of floats is off by less than 1e-15 of its value.

    >>> near_cheapest([[1, 2, 1], [2, 3, 1]], [[1, 1, 0], [2, 2, 0]])
    [[0, 1], [1], []]
    """
    numerators, denominators = (np.array(rows, dtype=np.float64) for rows in (above, below))
    costs = np.full(numerators.shape, np.inf)
    np.divide(numerators, denominators, out=costs, where=denominators > 0)
    near = np.isfinite(costs) & (costs <= costs.min(axis=0) * (1 + NEAR))
    result: list[list[int]] = [[] for _ in near.T]
    for problem, model in np.argwhere(near.T).tolist():
        result[problem].append(model)
    return result


def _ratio(cost: Number | None) -> Ratio | None:
    return None if cost is None else exact_non_negative(cost, "cost").as_integer_ratio()


def _cheapest(costs: Iterable[Ratio | None]) -> Ratio | None:
    """Return the smallest ratio, the first of equal ones, or None if all are infinite."""
    result: Ratio | None = None
    for cost in costs:
        if cost is not None and (result is None or cost[0] * result[1] < result[0] * cost[1]):
            result = cost
    return result


def _sum(ratios: Iterable[Ratio]) -> Fraction:
    """Add up ratios; first those with the same denominator, since there are few different ones."""
    numerators: defaultdict[int, int] = defaultdict(int)
    for numerator, denominator in ratios:
        numerators[denominator] += numerator
    return sum((Fraction(above, below) for below, above in numerators.items()), Fraction(0))
