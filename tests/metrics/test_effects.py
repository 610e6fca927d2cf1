from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.effects import cliffs_delta, cliffs_delta_of_histograms
from tests.golden_values import Row, golden_rows
from tests.metrics.strategies import unhurried

VALUES = st.lists(st.integers(-5, 5), min_size=1, max_size=15)


@pytest.mark.parametrize("row", golden_rows("cliffs_delta"), ids=str)
def test_cliffs_delta_equals_the_golden_value(row: Row) -> None:
    assert cliffs_delta(row["a"], row["b"]) == pytest.approx(row["value"], rel=1e-12)


@unhurried
@given(VALUES, VALUES)
def test_cliffs_delta_compares_every_value_with_every_other(a: list[int], b: list[int]) -> None:
    wins = sum((x > y) - (x < y) for x in a for y in b)

    assert cliffs_delta(a, b) == wins / (len(a) * len(b))


@unhurried
@given(VALUES, VALUES)
def test_histograms_give_the_same_delta(a: list[int], b: list[int]) -> None:
    assert cliffs_delta_of_histograms(Counter(a), Counter(b)) == cliffs_delta(a, b)


@unhurried
@given(VALUES, VALUES)
def test_exchanging_the_sides_turns_the_sign(a: list[int], b: list[int]) -> None:
    forth, back = cliffs_delta(a, b), cliffs_delta(b, a)

    assert forth is not None
    assert back == -forth


@pytest.mark.parametrize(("a", "b"), [([], [1]), ([1], [])])
def test_nothing_has_no_delta(a: list[int], b: list[int]) -> None:
    assert cliffs_delta(a, b) is None
    assert cliffs_delta_of_histograms(Counter(a), Counter(b)) is None
