from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.cases import (
    CaseCounts,
    CaseSums,
    MeanSums,
    check_paired,
    distinct,
    pass_at_k_of_cases,
)
from steelyard.metrics.pass_at_k import pass_at_k
from tests.metrics.strategies import unhurried

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@unhurried
@given(SHARES)
def test_the_order_of_the_values_does_not_change_their_sums(values: list[float]) -> None:
    assert MeanSums.of(sorted(values)) == MeanSums.of(values)


def test_sums_of_parts_are_the_sums_of_the_whole() -> None:
    whole = MeanSums(count=5, total=Fraction(3, 2), total_sq=Fraction(1, 2))

    parts = MeanSums(count=2, total=Fraction(1), total_sq=Fraction(1, 4)) + MeanSums(
        count=3, total=Fraction(1, 2), total_sq=Fraction(1, 4)
    )

    assert parts == whole


def test_one_number_of_samples_stands_for_every_case() -> None:
    counts = CaseCounts.of(n=4, c=[0, 2, 4])

    assert counts.n.tolist() == [4, 4, 4]
    assert counts.rates.tolist() == [0, 0.5, 1]


def test_passes_are_scores_of_one() -> None:
    sums = CaseCounts.of(n=[4, 2], c=[3, 0]).sums

    assert sums.means.tolist() == [0.75, 0]
    assert sums.total_sq.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("n", "c", "complaint"),
    [
        ([1, 2], [1], r"row.*case"),
        ([0], [0], "no evidence"),
        ([2], [3], r"0.*number"),
        ([2], [-1], r"0.*number"),
        ([2.5], [1], "whole numbers"),
        ([2], [0.5], "whole numbers"),
    ],
)
def test_impossible_counts_are_refused(n: list[float], c: list[float], complaint: str) -> None:
    with pytest.raises(DomainError, match=complaint):
        CaseCounts.of(n=n, c=c)


@pytest.mark.parametrize(
    ("total", "total_sq", "complaint"),
    [
        ([1.0], [1.0, 1.0], r"row.*case"),
        ([2.0001], [2.0], "between 0 and 1"),
        ([-0.0001], [1.0], "between 0 and 1"),
    ],
)
def test_impossible_sums_are_refused(total: list[float], total_sq: list[float], complaint: str) -> None:
    with pytest.raises(DomainError, match=complaint):
        CaseSums.of(n=[2], total=total, total_sq=total_sq)


def test_sums_of_a_case_without_samples_are_refused() -> None:
    with pytest.raises(DomainError, match="no evidence"):
        CaseSums.of(n=[0], total=[0.0], total_sq=[0.0])


def test_sums_are_taken_in_as_they_are() -> None:
    sums = CaseSums.of(n=[2, 4], total=[1.5, 1.0], total_sq=[1.25, 0.5])

    assert len(sums) == 2
    assert sums.means.tolist() == [0.75, 0.25]


def test_an_empty_run_has_no_cases() -> None:
    counts = CaseCounts.of(n=[], c=[])

    assert len(counts) == 0
    assert pass_at_k_of_cases(counts, k=1).tolist() == []


def test_runs_of_different_length_cannot_be_paired() -> None:
    with pytest.raises(DomainError, match=r"1.*2.*rows"):
        check_paired(CaseCounts.of(n=1, c=[1]), CaseCounts.of(n=1, c=[1, 0]))


@unhurried
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_distinct_rows_give_every_row_back(rows: list[tuple[int, int]]) -> None:
    table = np.array(rows)

    found = distinct(table[:, 0], table[:, 1])

    assert np.array_equal(found.values[found.where], table)
    assert found.values.tolist() == [list(row) for row in sorted(set(rows))]
    assert found.times.sum() == len(rows)


@unhurried
@given(st.lists(st.tuples(st.integers(2, 9), st.integers(0, 2)), min_size=1, max_size=20))
def test_pass_at_k_of_cases_is_pass_at_k_of_each(rows: list[tuple[int, int]]) -> None:
    counts = CaseCounts.of(n=[n for n, _ in rows], c=[c for _, c in rows])

    values = pass_at_k_of_cases(counts, k=2)

    assert values.tolist() == [pass_at_k(n=n, c=c, k=2) for n, c in rows]


def test_sums_may_miss_their_range_by_the_noise_of_floats() -> None:
    sums = CaseSums.of(n=[1, 2], total=[-1e-12, 2 + 1e-12], total_sq=[0.0, 2.0])

    assert sums.total.tolist() == [-1e-12, 2 + 1e-12]


def test_values_are_summed_with_their_squares() -> None:
    assert MeanSums.of([0.5, 0.25]) == MeanSums(count=2, total=0.75, total_sq=0.3125)


def test_distinct_rows_are_counted_one_by_one() -> None:
    found = distinct(np.array([2, 1, 2, 2]), np.array([0, 5, 0, 1]))

    assert found.values.tolist() == [[1, 5], [2, 0], [2, 1]]
    assert found.times.tolist() == [1, 2, 1]
