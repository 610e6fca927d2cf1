from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.cost import (
    SEED_PRICES,
    TokenPrice,
    cost_delta,
    cost_nano_usd,
    cost_of_pass,
    cost_of_pass_statistics,
    cost_usd,
    group_cost_of_pass,
)
from steelyard.metrics.ratios import zero_pass_bound
from steelyard.metrics.summaries import statistics
from steelyard.model.estimate import Reason
from steelyard.model.summary import CostOfPass
from tests.golden_values import Row, golden_rows

PRICES = {
    "opus45": SEED_PRICES["claude-opus-4.5"],
    "sonnet4": SEED_PRICES["claude-sonnet-4"],
    "gpt4o": SEED_PRICES["gpt-4o"],
}


@pytest.mark.parametrize("row", golden_rows("cost_usd"), ids=str)
def test_the_cost_of_a_request_equals_the_golden_value_exactly(row: Row) -> None:
    price = PRICES[row["model"]]

    cost = cost_usd(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"], price=price)

    assert cost == Fraction(row["exact"])
    assert float(cost) == row["value"]


@pytest.mark.parametrize("row", golden_rows("cost_usd"), ids=str)
def test_the_cost_in_nano_dollars_is_the_same_amount(row: Row) -> None:
    price = PRICES[row["model"]]

    nano = cost_nano_usd(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"], price=price)

    assert Fraction(nano, 10**9) == Fraction(row["exact"])


@pytest.mark.parametrize(("tokens", "nano"), [(1, 0), (3, 2), (5, 2), (7, 4), (2, 1)])
def test_half_a_nano_dollar_goes_to_the_even_neighbour(tokens: int, nano: int) -> None:
    price = TokenPrice(input_usd_per_million="0.0005", output_usd_per_million=0)

    assert cost_nano_usd(input_tokens=tokens, output_tokens=0, price=price) == nano


def test_negative_tokens_are_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^input_tokens.*-1$"):
        cost_usd(input_tokens=-1, output_tokens=0, price=SEED_PRICES["gpt-4o"])
    with pytest.raises(DomainError, match=r"^output_tokens.*-1$"):
        cost_usd(input_tokens=0, output_tokens=-1, price=SEED_PRICES["gpt-4o"])


def test_a_negative_price_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^input price.*-1$"):
        TokenPrice(input_usd_per_million=-1, output_usd_per_million=0)
    with pytest.raises(DomainError, match=r"^output price.*-1$"):
        TokenPrice(input_usd_per_million=0, output_usd_per_million=-1)


@pytest.mark.parametrize("row", golden_rows("cost_of_pass"), ids=str)
def test_the_cost_of_pass_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    cost = cost_of_pass(cost=row["cost"], pass_rate=row["pass_rate"])

    assert ("Infinity" if cost is None else float(cost)) == row["value"]


def test_the_cost_of_pass_refuses_a_rate_above_1_and_a_negative_cost() -> None:
    with pytest.raises(DomainError, match=r"^pass_rate.*1\.5$"):
        cost_of_pass(cost=1, pass_rate=1.5)
    with pytest.raises(DomainError, match=r"^cost.*-1$"):
        cost_of_pass(cost=-1, pass_rate=1)


@pytest.mark.parametrize("row", golden_rows("cost_of_pass", "aggregate"), ids=str)
def test_the_cost_of_pass_of_a_group_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    cost = group_cost_of_pass(total_cost=row["total_cost"], passes=row["passes"], samples=row["n"])

    if row["value"] == "Infinity":
        assert cost == CostOfPass(value=None, infinite=True, lower_bound=row["lower_bound_95_one_sided"])
    else:
        assert cost == CostOfPass(value=row["value"], infinite=False, lower_bound=None)


def test_the_bound_of_a_single_sample_is_its_cost_over_95_percent() -> None:
    cost = group_cost_of_pass(total_cost=1, passes=0, samples=1)

    assert cost.lower_bound == float(Fraction(100, 95))


def test_the_bound_holds_at_the_level_that_is_asked_for() -> None:
    half, most = (
        group_cost_of_pass(total_cost=1, passes=0, samples=1, level=level).lower_bound
        for level in (0.5, "0.99")
    )

    assert (half, most) == (2.0, float(Fraction(100, 99)))
    assert group_cost_of_pass(total_cost=5, passes=0, samples=10, level=0.9).lower_bound == pytest.approx(
        zero_pass_bound(mean_cost=0.5, trials=10, level=0.9), rel=1e-12
    )


@pytest.mark.parametrize("level", [0, 1])
def test_no_bound_is_sure_or_says_nothing(level: int) -> None:
    with pytest.raises(DomainError, match=rf"^level must lie strictly between 0 and 1, got {level}$"):
        group_cost_of_pass(total_cost=1, passes=0, samples=1, level=level)


def test_the_bound_stays_accurate_for_very_many_samples() -> None:
    cost = group_cost_of_pass(total_cost=10**18, passes=0, samples=10**18)

    assert cost.lower_bound == 3.338082006953341e17


def test_samples_of_the_same_case_are_no_independent_trials() -> None:
    by_sample = group_cost_of_pass(total_cost=100, passes=0, samples=100)
    by_case = group_cost_of_pass(total_cost=100, passes=0, samples=100, independent=10)

    assert by_case.lower_bound == group_cost_of_pass(total_cost=10, passes=0, samples=10).lower_bound
    assert by_case.lower_bound != by_sample.lower_bound


@pytest.mark.parametrize("independent", [0, 11])
def test_there_are_between_1_and_all_independent_trials(independent: int) -> None:
    with pytest.raises(
        DomainError, match=rf"^independent must lie between 1 and samples = 10, got {independent}$"
    ):
        group_cost_of_pass(total_cost=1, passes=1, samples=10, independent=independent)


@pytest.mark.parametrize("independent", [1, 10])
def test_one_or_all_trials_may_be_independent(independent: int) -> None:
    cost = group_cost_of_pass(total_cost=1, passes=1, samples=10, independent=independent)

    assert cost == CostOfPass(value=1.0)


def test_without_samples_nothing_is_known_about_the_cost_of_pass() -> None:
    unknown = CostOfPass(value=None, infinite=False, lower_bound=None)

    assert group_cost_of_pass(total_cost=0, passes=0, samples=0) == unknown
    assert group_cost_of_pass(total_cost=0, passes=0, samples=0, independent=0) == unknown


@pytest.mark.parametrize("passes", [-1, 11])
def test_more_passes_than_samples_are_refused(passes: int) -> None:
    with pytest.raises(DomainError, match=rf"^passes must lie between 0 and samples = 10, got {passes}$"):
        group_cost_of_pass(total_cost=1, passes=passes, samples=10)


def test_a_negative_total_is_refused() -> None:
    with pytest.raises(DomainError, match=r"^total_cost.*-1$"):
        group_cost_of_pass(total_cost=-1, passes=0, samples=0)


def test_four_of_ten_passing_cost_a_dollar_and_a_quarter_each() -> None:
    cost = group_cost_of_pass(total_cost="5.00", passes=4, samples=10)

    assert cost.value == 1.25


@settings(deadline=None)
@given(st.integers(1, 500), st.decimals(0, 1000, places=2))
def test_the_bound_is_roughly_a_third_of_the_total_and_never_below(samples: int, total: Fraction) -> None:
    bound = group_cost_of_pass(total_cost=total, passes=0, samples=samples).lower_bound

    assert bound is not None
    assert float(total) / 3 <= bound <= float(total) / 0.95 + 1e-9


@pytest.mark.parametrize("row", golden_rows("cost_delta"), ids=str)
def test_the_cost_delta_equals_the_golden_value(row: Row) -> None:
    delta = cost_delta(row["costs"])

    assert (None if delta is None else float(delta)) == row["value"]


def test_the_cost_delta_refuses_a_negative_cost() -> None:
    with pytest.raises(DomainError, match=r"^cost.*-2$"):
        cost_delta([1, -2])


def test_the_statistics_of_finite_costs_of_a_pass_are_the_plain_ones() -> None:
    costs = ["0.5", "0.25", "0.25", "1"]

    assert cost_of_pass_statistics(costs) == statistics(costs)
    assert cost_of_pass_statistics([]).count == 0


@pytest.mark.parametrize(
    ("costs", "median", "mode", "least"),
    [
        (["1", "2", "3", None], 2.5, 1.0, 1.0),
        (["1", "3", None], 3.0, 1.0, 1.0),
        (["1", "2", None, None], None, None, 1.0),
        (["1", None, None], None, None, 1.0),
        (["1", "1", None, None], None, 1.0, 1.0),
        ([None, None], None, None, None),
    ],
)
def test_infinite_costs_of_a_pass_stand_above_all_others(
    costs: list[str | None], median: float | None, mode: float | None, least: float | None
) -> None:
    found = cost_of_pass_statistics(costs)

    assert (found.median, found.mode, found.min, found.count) == (median, mode, least, len(costs))
    assert (found.mean, found.max, found.std_dev, found.reason) == (None, None, None, Reason.NO_PASSES)
