import random
from fractions import Fraction
from math import nextafter
from statistics import mean, median, multimode, pvariance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.summaries import (
    _root_of_ratio,
    population_variance,
    statistics,
    statistics_of_histogram,
    statistics_of_spread,
)
from steelyard.model.state import Spread
from steelyard.model.summary import Statistics
from tests.golden_values import Row, golden, golden_rows

NOTHING = Statistics(median=None, mean=None, mode=None, min=None, max=None, std_dev=None, count=0)

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9)
decimals = st.decimals(min_value=-1000, max_value=1000, places=3)
histograms = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 6)))


def as_statistics(row: Row) -> Statistics:
    """Return the golden numbers as the record."""
    return Statistics(
        median=row["median"],
        mean=row["mean"],
        mode=row["mode"],
        min=row["min"],
        max=row["max"],
        std_dev=row["std_dev"],
        count=row["count"],
    )


@pytest.mark.parametrize("row", [*golden_rows("statistics"), golden()["seed_examples"]["ex2"]], ids=str)
def test_statistics_equal_the_golden_values_bit_for_bit(row: Row) -> None:
    numbers = statistics(row["values"])

    assert numbers == as_statistics(row)
    assert numbers == statistics(float(value) for value in row["values"])


@pytest.mark.parametrize("row", golden_rows("statistics"), ids=str)
def test_population_variance_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    variance = population_variance(row["values"])

    assert variance is not None
    assert float(variance) == row["variance_population"]


def test_an_empty_list_has_a_count_of_0_and_nothing_else() -> None:
    assert statistics([]) == NOTHING
    assert statistics_of_histogram([], unit=10) == NOTHING
    assert statistics_of_histogram([(5, 0)], unit=10) == NOTHING
    assert population_variance([]) is None


def test_not_a_number_is_refused() -> None:
    with pytest.raises(DomainError, match="finite"):
        statistics([1.0, float("nan")])


@settings(deadline=None)
@given(st.lists(decimals, min_size=1), st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(values: list[Fraction], rng: random.Random) -> None:
    numbers = statistics(values)
    rng.shuffle(values)

    assert statistics(values) == numbers


@settings(deadline=None)
@given(st.lists(st.one_of(finite, decimals, st.integers(-9, 9)), min_size=1))
def test_statistics_equal_the_exact_numbers_rounded_once(values: list[float]) -> None:
    exact_values = [Fraction(str(value)) for value in values]

    numbers = statistics(values)

    assert numbers.median == float(median(exact_values))
    assert numbers.mean == float(mean(exact_values))
    assert numbers.mode == float(min(multimode(exact_values)))
    assert (numbers.min, numbers.max) == (float(min(exact_values)), float(max(exact_values)))
    assert numbers.count == len(values)


@settings(deadline=None)
@given(st.lists(st.one_of(finite, decimals), min_size=1))
def test_the_standard_deviation_is_correctly_rounded(values: list[float]) -> None:
    std_dev = statistics(values).std_dev

    variance = pvariance([Fraction(str(value)) for value in values])
    assert std_dev is not None
    assert std_dev >= 0
    assert is_nearest_root(std_dev, variance)


@settings(deadline=None)
@given(st.integers(0, 10**40), st.integers(1, 10**40), st.integers(-600, 600))
def test_the_root_of_any_ratio_is_correctly_rounded(numerator: int, denominator: int, power: int) -> None:
    scaled = (numerator << max(0, power), denominator << max(0, -power))

    root = _root_of_ratio(*scaled)

    assert is_nearest_root(root, Fraction(*scaled))


def is_nearest_root(root: float, square: Fraction) -> bool:
    """Return whether no other float is nearer to the root of `square`."""
    below = (Fraction(nextafter(root, -1)) + Fraction(root)) / 2
    above = (Fraction(nextafter(root, float("inf"))) + Fraction(root)) / 2
    return (below <= 0 or below**2 <= square) and square <= above**2


@settings(deadline=None)
@given(histograms, st.integers(1, 1000))
def test_statistics_of_a_histogram_are_those_of_the_written_out_list(
    histogram: list[tuple[int, int]], unit: int
) -> None:
    written_out = [Fraction(value, unit) for value, times in histogram for _ in range(times)]

    assert statistics_of_histogram(histogram, unit=unit) == statistics(written_out)


def test_statistics_of_values_counted_elsewhere_are_those_of_the_list() -> None:
    spread = Spread(
        n=4, sum=3250, sum_sq=2_662_500, lowest=700, highest=900, lower_middle=800, upper_middle=850, mode=700
    )

    assert statistics_of_spread(spread, unit=1000) == as_statistics(golden_rows("statistics")[1])


def test_a_spread_of_nothing_has_a_count_of_0_and_nothing_else() -> None:
    spread = Spread(n=0, sum=0, sum_sq=0, lowest=0, highest=0, lower_middle=0, upper_middle=0, mode=0)

    assert statistics_of_spread(spread, unit=1) == NOTHING


def test_a_value_in_several_pairs_adds_up() -> None:
    numbers = statistics_of_histogram([(1, 2), (2, 3), (1, 2)], unit=1)

    assert numbers.mode == 1
    assert numbers.count == 7


def test_micro_points_are_read_in_their_unit() -> None:
    numbers = statistics_of_histogram(
        [(700_000, 1), (800_000, 1), (850_000, 1), (900_000, 1)], unit=1_000_000
    )

    assert numbers == as_statistics(golden_rows("statistics")[1])


def test_a_thousand_million_values_cost_no_more_than_their_histogram() -> None:
    numbers = statistics_of_histogram([(0, 10**9), (1, 10**9 + 1)], unit=1)

    assert numbers.median == 1
    assert numbers.mean == (10**9 + 1) / (2 * 10**9 + 1)


@pytest.mark.parametrize(
    ("zeros", "ones", "median_value"),
    [(2**60, 2**60, 0.5), (2**60 + 256, 2**60 + 255, 0), (2**60 + 255, 2**60 + 256, 1)],
)
def test_the_median_is_exact_beyond_the_integers_a_float_can_hold(
    zeros: int, ones: int, median_value: float
) -> None:
    numbers = statistics_of_histogram([(0, zeros), (1, ones)], unit=1)

    assert numbers.median == median_value


@pytest.mark.parametrize("unit", [0, -1])
def test_a_unit_below_1_is_refused(unit: int) -> None:
    with pytest.raises(DomainError, match=rf"^unit must be at least 1, got {unit}$"):
        statistics_of_histogram([], unit=unit)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(DomainError, match=r"^value.*-1$"):
        statistics_of_histogram([(7, 2), (7, -1)], unit=1)


def test_the_variance_of_the_seed_is_exact() -> None:
    variance = population_variance([0.70, 0.80, 0.85, 0.90])

    assert variance == Fraction("0.00546875")


@pytest.mark.parametrize(("root", "rounded"), [(2**53 + 1, 2**53), (2**53 + 3, 2**53 + 4)])
def test_an_exact_root_between_two_floats_goes_to_the_even_one(root: int, rounded: int) -> None:
    assert _root_of_ratio(root * root, 1) == rounded
    assert _root_of_ratio(9 * root * root, 9) == rounded
