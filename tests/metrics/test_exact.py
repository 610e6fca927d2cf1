import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.exact import (
    exact,
    exact_non_negative,
    exact_share,
    exact_weights,
    weighted_mean,
)
from steelyard.model.units import Number


@pytest.mark.parametrize(
    "number", [0.1, "0.1", Decimal("0.1"), Fraction(1, 10), "1/10", np.float64(0.1), " 1e-1 "]
)
def test_one_tenth_is_one_tenth_however_it_is_written(number: Number) -> None:
    fraction = exact(number)

    assert fraction == Fraction(1, 10)


@pytest.mark.parametrize("number", [0, -3, 10**20, True])
def test_an_integer_stays_itself(number: int) -> None:
    fraction = exact(number)

    assert fraction == number


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_comes_back_from_its_fraction(number: float) -> None:
    fraction = exact(number)

    assert float(fraction) == number


@pytest.mark.parametrize(
    "number",
    [
        float("nan"),
        float("inf"),
        float("-inf"),
        "nan",
        "Infinity",
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-Infinity"),
        "",
        "many",
        "1/0",
        "1/x",
    ],
)
def test_what_is_no_finite_number_is_refused(number: Number) -> None:
    with pytest.raises(DomainError, match="finite number"):
        exact(number)


def test_the_refusal_shows_the_number_but_never_a_whole_huge_cell() -> None:
    with pytest.raises(DomainError) as refusal:
        exact("9x" * 1000)

    assert len(str(refusal.value)) < 80


@pytest.mark.parametrize("number", ["1e99999", "1e-99999", Decimal("1e401"), Decimal("1e-401")])
def test_a_number_too_long_to_write_out_is_refused_at_once(number: Number) -> None:
    with pytest.raises(DomainError, match="finite"):
        exact(number)


@pytest.mark.parametrize("number", ["1e309", "-1e309", "1e400", 10**400, "2e308"])
def test_a_number_no_float_can_hold_is_refused(number: Number) -> None:
    with pytest.raises(DomainError, match=r"no larger than 1\.7976931348623157e\+308"):
        exact(number)


def test_an_integer_too_long_for_a_message_is_refused_all_the_same() -> None:
    with pytest.raises(DomainError, match="got a larger one"):
        exact(10**5000)


@pytest.mark.parametrize("number", [sys.float_info.max, -sys.float_info.max, 5e-324, "1e308", "1e-400"])
def test_the_largest_and_the_smallest_floats_are_numbers(number: Number) -> None:
    fraction = exact(number)

    assert float(fraction) == float(number)


def test_the_largest_float_is_the_largest_number() -> None:
    largest = Fraction(sys.float_info.max)

    assert exact(largest) == largest
    with pytest.raises(DomainError):
        exact(largest + 1)


def test_a_zero_with_a_silly_exponent_is_zero() -> None:
    fraction = exact("0e-99999")

    assert fraction == 0


def test_a_negative_number_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^cost.*-0\.5$"):
        exact_non_negative(-0.5, "cost")


def test_zero_is_not_negative() -> None:
    assert exact_non_negative(0, "cost") == 0


@pytest.mark.parametrize("number", [-0.0001, "1.0001", 2])
def test_a_share_outside_0_and_1_is_refused_by_name(number: Number) -> None:
    with pytest.raises(DomainError, match=rf"^score must lie between 0 and 1, got {number}$"):
        exact_share(number, "score")


@pytest.mark.parametrize("number", [0, 1])
def test_0_and_1_are_shares(number: int) -> None:
    assert exact_share(number, "score") == number


def test_weights_that_sum_to_0_are_refused() -> None:
    with pytest.raises(DomainError, match=r"weights of lint, tests.*0$"):
        exact_weights({"tests": 0, "lint": 0.0})


def test_no_weights_at_all_are_refused() -> None:
    with pytest.raises(DomainError, match=r"weights of nothing.*0$"):
        exact_weights({})


def test_a_negative_weight_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^weight 'lint'.*-1$"):
        exact_weights({"tests": 2, "lint": -1})


def test_one_weight_above_0_is_enough() -> None:
    assert exact_weights({"tests": 0, "lint": 0.25}) == {"tests": 0, "lint": Fraction(1, 4)}


def test_a_value_left_out_takes_its_weight_with_it() -> None:
    mean = weighted_mean({"build": Fraction(1), "tests": Fraction(0)}, {"build": 4, "tests": 5, "lint": 1})

    assert mean == Fraction(4, 9)
