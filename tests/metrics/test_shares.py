"""Shares as columns: what a fraction for each case gives, also where 64 bits or a float do not suffice."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.means import mean_of_shares
from steelyard.metrics.shares import Shares

parts = st.integers(-50, 50) | st.integers(-(2**70), 2**70)
wholes = st.integers(1, 9) | st.integers(1, 2**70)
Pairs = list[tuple[int, int]]


@given(st.lists(st.tuples(parts, wholes), max_size=30))
@example([(2**53 - 1, 3), (2**53 + 1, 3)])
@example([(2**62, 1)] * 3)
@example([(1, 2**62), (1, 2**63), (1, 2**64)])
def test_columns_give_what_single_fractions_and_divisions_give(pairs: Pairs) -> None:
    shares = Shares.of([part for part, _ in pairs], [whole for _, whole in pairs])

    assert shares.mean() == mean_of_shares(pairs)
    assert shares.values.tolist() == [part / whole for part, whole in pairs]


@pytest.mark.parametrize("whole", [0, -1])
def test_a_share_of_nothing_is_refused(whole: int) -> None:
    with pytest.raises(DomainError, match=f"at least 1, got {whole}"):
        Shares.of([1, 0], [1, whole])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DomainError, match=r"2.*parts.*1"):
        Shares.of([1, 2], [3])


@pytest.mark.parametrize(
    ("part", "rows", "is_fast"),
    [
        (10**9, 10_000, True),  # a case with a thousand samples, in micro-points
        (2**53, 1, True),
        (2**53 + 1, 1, False),  # no float is this number
        (2**53, 1023, True),
        (2**53, 1024, False),  # their sum is 2^63, one more than 64 bits hold
        (-(2**53), 1024, False),
    ],
)
def test_columns_are_of_64_bits_as_long_as_every_sum_of_them_is(
    part: int, rows: int, *, is_fast: bool
) -> None:
    shares = Shares.of([part] * rows, [3] * rows)

    assert (shares.part.dtype == np.int64) == is_fast
    assert shares.whole.dtype == np.int64
    assert shares.mean() == Fraction(part, 3)
