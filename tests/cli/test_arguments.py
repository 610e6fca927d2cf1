"""Turning what a user types into values."""

from fractions import Fraction

import pytest

from steelyard.cli import arguments
from steelyard.cli.flags import spread_values
from steelyard.errors import UserError
from steelyard.model.outcome import Classification


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("--k-values 1 5 10", "--k-values 1 --k-values 5 --k-values 10"),
        ("--k-values 1,5", "--k-values 1,5"),
        ("--k-values 1 5 --fixes-csv f", "--k-values 1 --k-values 5 --fixes-csv f"),
        ("--fixes-csv f --k-values 1", "--fixes-csv f --k-values 1"),
        ("--k-values 1 --k-values 5", "--k-values 1 --k-values 5"),
        ("--fixes-csv f x", "--fixes-csv f x"),
        ("", ""),
    ],
)
def test_values_up_to_the_next_option_belong_to_k_values(typed: str, expected: str) -> None:
    assert spread_values(typed.split()) == expected.split()


def test_k_values_without_a_value_are_not_taken_for_the_value_of_another() -> None:
    assert spread_values(["--k-values", "--k-values", "1"]) == ["--k-values", "", "--k-values", "1"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1,5,10"], (1, 5, 10)),
        (["10", "1", "5"], (1, 5, 10)),
        ([" 5 , 5,05"], (5,)),
        (["999999999"], (999999999,)),
    ],
)
def test_ks_come_sorted_and_each_once(texts: list[str], expected: tuple[int, ...]) -> None:
    assert arguments.ks(texts, option="--pass-k") == expected


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "1.5", "1,,5", "１", "1000000000", "00"])  # noqa: RUF001  # a full-width digit
def test_what_is_no_k_is_refused_by_the_name_of_its_option(text: str) -> None:
    with pytest.raises(UserError, match=r"^--pass-k.*integers"):
        arguments.ks([text], option="--pass-k")


def test_a_very_long_k_is_shortened_in_the_message() -> None:
    with pytest.raises(UserError) as refusal:
        arguments.ks(["9" * 5000], option="--pass-k")

    assert len(str(refusal.value)) < 120


def test_a_value_may_hold_an_equals_sign() -> None:
    assert arguments.pairs(["case=a=b"], option="--map") == {"case": "a=b"}


@pytest.mark.parametrize("text", ["case", "=x", "case=", "="])
def test_half_a_pair_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="expected NAME=VALUE"):
        arguments.pairs([text], option="--map")


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(UserError, match="'case'"):
        arguments.pairs(["case=a", "case=b"], option="--map")


@pytest.mark.parametrize(
    ("text", "expected"), [("0.1", Fraction(1, 10)), ("1/3", Fraction(1, 3)), ("1e-2", Fraction(1, 100))]
)
def test_numbers_are_read_exactly(text: str, expected: Fraction) -> None:
    assert arguments.numbers([f"x={text}"], option="--weight") == {"x": expected}


@pytest.mark.parametrize("text", ["nan", "inf", "x", "", "1/0", "1e999999999"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="expected a number"):
        arguments.number(text, option="--threshold")


def test_penalties_are_for_failures_only() -> None:
    assert arguments.penalties(["refusal=0.5"]) == {Classification.REFUSAL: Fraction(1, 2)}

    for kind in ("pass", "error", "rudeness"):
        with pytest.raises(UserError, match="failure"):
            arguments.penalties([f"{kind}=1"])
