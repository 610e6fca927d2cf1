from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.metrics.tiers import cost_variance, pass_rate_variance, tier_difference, tier_uplift
from steelyard.model.estimate import Estimate, Reason
from tests.golden_values import Row, golden, golden_rows


@pytest.mark.parametrize("row", golden_rows("tier_uplift"), ids=str)
def test_the_uplift_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    uplift = tier_uplift(tier=row["tier"], baseline=row["t0"])

    assert uplift.value == row["value"]
    assert uplift.reason == (Reason.BASELINE_ZERO if row["value"] is None else None)


@pytest.mark.parametrize("tier", ["T1", "T2", "T3"])
def test_seed_002_example_3_uplifts(tier: str) -> None:
    example = golden()["seed_examples"]["ex3"]

    uplift = tier_uplift(tier=example[tier], baseline=example["T0"])

    assert uplift == Estimate.of(example[f"uplift_{tier}"])


def test_seed_002_example_3_variance() -> None:
    example = golden()["seed_examples"]["ex3"]

    variance = pass_rate_variance([example[tier] for tier in ("T0", "T1", "T2", "T3")])

    assert variance is not None
    assert float(variance) == example["variance"]


def test_an_uplift_over_nothing_names_the_missing_baseline() -> None:
    assert tier_uplift(tier=0.5, baseline=None) == Estimate.undefined(Reason.BASELINE_MISSING)
    assert tier_uplift(tier=None, baseline=None) == Estimate.undefined(Reason.BASELINE_MISSING)
    assert tier_difference(tier=0.5, baseline=None) == Estimate.undefined(Reason.BASELINE_MISSING)


def test_a_tier_nobody_measured_has_no_uplift() -> None:
    assert tier_uplift(tier=None, baseline=0.5) == Estimate.undefined(Reason.NOT_MEASURED)
    assert tier_difference(tier=None, baseline=0.5) == Estimate.undefined(Reason.NOT_MEASURED)


@pytest.mark.parametrize(
    ("tier", "baseline", "value"), [(0.5, 0, 0.5), ("0.3", "0.1", 0.2), (0.85, 0.9, -0.05)]
)
def test_the_absolute_difference_is_there_even_over_a_baseline_of_0(
    tier: float | str, baseline: float | str, value: float
) -> None:
    difference = tier_difference(tier=tier, baseline=baseline)

    assert difference == Estimate.of(value)


@settings(deadline=None)
@given(st.lists(st.fractions(0, 1, max_denominator=1000), min_size=1, max_size=9))
def test_the_variance_of_pass_rates_never_exceeds_a_quarter(medians: list[Fraction]) -> None:
    variance = pass_rate_variance(medians)

    assert variance is not None
    assert 0 <= variance <= Fraction(1, 4)


def test_no_tiers_have_no_variance() -> None:
    assert pass_rate_variance([]) is None
    assert cost_variance([]) is None


def test_the_cost_variance_divides_by_the_number_of_tiers() -> None:
    variance = cost_variance([1, 2, 6])

    assert variance == Fraction(14, 3)
