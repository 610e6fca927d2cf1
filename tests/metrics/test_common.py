"""What holds for many metrics at once: a table of metrics and of the changes that must not matter to them."""

import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.cost import cost_delta, cost_of_pass
from steelyard.metrics.exact import exact
from steelyard.metrics.frontier import frontier_cost_of_pass
from steelyard.metrics.grades import letter_grade
from steelyard.metrics.latency import latency_score
from steelyard.metrics.pass_at_k import mean_pass_at_k, mean_pass_hat_k
from steelyard.metrics.regression import change_kind
from steelyard.metrics.scoring import composite_score
from steelyard.metrics.suites import overall_score, pooled_score, suite_score
from steelyard.metrics.summaries import population_variance, statistics
from steelyard.metrics.tiers import cost_variance, pass_rate_variance, tier_difference, tier_uplift
from steelyard.model.units import Number

Metric: TypeAlias = Callable[[Sequence[Number]], object]

# Each metric as a function of a list of shares, which stand for scores, rates or costs as it wants.
OF_A_LIST: dict[str, Metric] = {
    "statistics": statistics,
    "population_variance": population_variance,
    "pass_rate_variance": pass_rate_variance,
    "cost_variance": cost_variance,
    "cost_delta": cost_delta,
    "suite_score": suite_score,
    "pooled_score": lambda values: pooled_score([values, values]),
    "overall_score": lambda values: overall_score({str(i): value for i, value in enumerate(values)}),
    "frontier_cost_of_pass": lambda values: frontier_cost_of_pass([values, [1]], human_cost=2),
}

# A mean keeps its value when every item comes twice.
UNMOVED_BY_DOUBLING = sorted(OF_A_LIST.keys() - {"statistics"})

# Metrics that keep their range when all values are equal: the value itself, or no spread at all.
OF_EQUAL_VALUES = {
    "population_variance": 0,
    "pass_rate_variance": 0,
    "cost_variance": 0,
    "cost_delta": 0,
    "suite_score": Fraction(3, 10),
    "pooled_score": Fraction(3, 10),
    "overall_score": Fraction(3, 10),
}

OF_ONE_NUMBER: dict[str, Callable[[Number], object]] = {
    "letter_grade": letter_grade,
    "latency_score": lambda number: latency_score(number, good_s=0, bad_s=2),
    "change_kind": lambda number: change_kind(baseline=number, current=0.5),
    "cost_of_pass": lambda number: cost_of_pass(cost=1, pass_rate=number),
    "composite_score": lambda number: composite_score(pass_rate=number, impl_rate=number),
    "tier_uplift": lambda number: tier_uplift(tier=number, baseline=0.5),
    "tier_difference": lambda number: tier_difference(tier=0.5, baseline=number),
    **{name: lambda number, metric=metric: metric([number]) for name, metric in OF_A_LIST.items()},  # type: ignore[misc]
}

MEANS_OVER_CASES = [mean_pass_at_k, mean_pass_hat_k]

shares = st.decimals(0, 1, places=4)
lists = st.lists(shares, min_size=1, max_size=12)


@pytest.mark.parametrize("name", OF_A_LIST)
@settings(deadline=None, max_examples=25)
@given(lists, st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(name: str, values: list[Number], rng: random.Random) -> None:
    metric = OF_A_LIST[name]
    before = metric(values)
    rng.shuffle(values)

    assert metric(values) == before


@pytest.mark.parametrize("name", UNMOVED_BY_DOUBLING)
@settings(deadline=None, max_examples=25)
@given(lists)
def test_having_every_value_twice_does_not_matter(name: str, values: list[Number]) -> None:
    metric = OF_A_LIST[name]

    assert metric(values + values) == metric(values)


@pytest.mark.parametrize("name", OF_A_LIST)
@settings(deadline=None, max_examples=25)
@given(lists)
def test_how_a_list_is_written_does_not_matter(name: str, values: list[Number]) -> None:
    metric = OF_A_LIST[name]

    as_text = metric([str(value) for value in values])

    assert as_text == metric(values)
    assert as_text == metric([float(value) for value in values])
    assert as_text == metric([Fraction(value) for value in values])


@pytest.mark.parametrize("name", OF_ONE_NUMBER)
@settings(deadline=None, max_examples=25)
@given(shares)
def test_how_a_number_is_written_does_not_matter(name: str, number: Number) -> None:
    metric = OF_ONE_NUMBER[name]

    as_text = metric(str(number))

    assert as_text == metric(number)
    assert as_text == metric(float(number))
    assert as_text == metric(exact(number))


@pytest.mark.parametrize("name", OF_ONE_NUMBER)
@pytest.mark.parametrize("number", [float("nan"), float("inf"), "-Infinity", "", "many"])
def test_no_metric_takes_what_is_no_finite_number(name: str, number: Number) -> None:
    with pytest.raises(DomainError, match="finite"):
        OF_ONE_NUMBER[name](number)


@pytest.mark.parametrize(("name", "value"), OF_EQUAL_VALUES.items())
@pytest.mark.parametrize("times", [1, 2, 7])
def test_equal_values_have_a_mean_of_that_value_and_no_spread(name: str, value: Fraction, times: int) -> None:
    assert OF_A_LIST[name]([0.3] * times) == value


@pytest.mark.parametrize("mean", MEANS_OVER_CASES)
@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(3, 9), st.integers(0, 3)), min_size=1), st.integers(1, 3))
def test_a_mean_over_cases_takes_any_collection(
    mean: Callable[..., object], cases: list[tuple[int, int]], k: int
) -> None:
    doubled: Iterable[tuple[int, int]] = (*cases, *cases)

    assert mean(tuple(cases), k=k) == mean(cases, k=k) == mean(doubled, k=k)
