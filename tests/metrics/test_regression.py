from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.regression import DEFAULT_THRESHOLD, change_kind, change_of_shares
from steelyard.metrics.ties import rounding_of_change
from steelyard.model.comparison import ChangeKind
from tests.golden_values import Row, golden_rows

BOTH_ROUNDED = rounding_of_change(*[False] * 2)

scores = st.fractions(0, 1, max_denominator=1000)

MIRRORED = {
    ChangeKind.REGRESSION: ChangeKind.IMPROVEMENT,
    ChangeKind.IMPROVEMENT: ChangeKind.REGRESSION,
    ChangeKind.UNCHANGED: ChangeKind.UNCHANGED,
}


@pytest.mark.parametrize("row", golden_rows("regression_threshold"), ids=str)
def test_the_kind_of_change_is_the_golden_one(row: Row) -> None:
    by_text = change_kind(baseline=row["baseline"], current=row["current"], threshold=row["threshold"])
    by_float = change_kind(
        baseline=float(row["baseline"]), current=float(row["current"]), threshold=float(row["threshold"])
    )

    assert by_text == by_float == row["class"]


def test_an_exact_0_05_drop_is_not_a_regression() -> None:
    assert 0.9 - 0.85 > 0.05
    assert change_kind(baseline=0.9, current=0.85, threshold=0.05) is ChangeKind.UNCHANGED


def test_the_threshold_of_the_seed_is_the_default() -> None:
    assert Fraction("0.05") == DEFAULT_THRESHOLD
    assert change_kind(baseline=0.9, current=0.85) is ChangeKind.UNCHANGED
    assert change_kind(baseline=0.9, current=0.8499) is ChangeKind.REGRESSION


def test_any_step_exceeds_a_threshold_of_0() -> None:
    assert change_kind(baseline=0.5, current="0.5000000001", threshold=0) is ChangeKind.IMPROVEMENT
    assert change_kind(baseline=0.5, current=0.5, threshold=0) is ChangeKind.UNCHANGED


def test_a_negative_threshold_is_refused() -> None:
    with pytest.raises(DomainError, match=r"^threshold.*-0\.05$"):
        change_kind(baseline=0.5, current=0.5, threshold=-0.05)


@settings(deadline=None)
@given(scores, scores, scores)
def test_swapping_the_runs_swaps_regression_and_improvement(
    one: Fraction, other: Fraction, threshold: Fraction
) -> None:
    forwards = change_kind(baseline=one, current=other, threshold=threshold)

    assert change_kind(baseline=other, current=one, threshold=threshold) is MIRRORED[forwards]


@settings(deadline=None)
@given(scores, scores)
def test_a_step_of_exactly_the_threshold_is_no_change(one: Fraction, other: Fraction) -> None:
    kind = change_kind(baseline=one, current=other, threshold=abs(one - other))

    assert kind is ChangeKind.UNCHANGED


def test_a_change_that_rounding_carried_off_the_threshold_is_the_threshold() -> None:
    # 2/3 to 37/60 is exactly -0.05; stored in micro-points it is -0.0500003.
    before, after = (666_667 * 3, 3_000_000), (650_000 + 2 * 600_000, 3_000_000)
    limit = Fraction(5, 100)

    plain = change_of_shares(before, after, threshold=limit)
    exactly = change_of_shares(before, after, threshold=limit, rounding=BOTH_ROUNDED)

    assert plain.kind is ChangeKind.REGRESSION
    assert (exactly.kind, exactly.delta) == (ChangeKind.UNCHANGED, -0.05)


def test_a_change_beyond_the_threshold_is_one_with_rounding_too() -> None:
    before, after = (900_000, 1_000_000), (849_998, 1_000_000)

    shift = change_of_shares(before, after, threshold=Fraction(5, 100), rounding=BOTH_ROUNDED)

    assert shift.kind is ChangeKind.REGRESSION
