"""Averaging shares of many cases."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.means import mean_of_shares

SHARES = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), max_size=30)


def test_every_case_weighs_the_same_whatever_its_samples() -> None:
    assert mean_of_shares([(1, 1), (0, 999)]) == Fraction(1, 2)


def test_no_cases_have_no_mean() -> None:
    assert mean_of_shares([]) is None


@pytest.mark.parametrize("whole", [0, -1])
def test_a_share_of_nothing_is_refused(whole: int) -> None:
    with pytest.raises(DomainError, match=f"at least 1, got {whole}"):
        mean_of_shares([(0, whole)])


@given(SHARES)
def test_the_mean_is_exactly_that_of_the_fractions_in_any_order(shares: list[tuple[int, int]]) -> None:
    expected = (
        sum((Fraction(part, whole) for part, whole in shares), Fraction(0)) / len(shares) if shares else None
    )

    assert mean_of_shares(shares) == mean_of_shares(reversed(shares)) == expected
