"""A mean of stored scores that meets a threshold exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.ties import HALF_A_STEP, are_whole, rounding_of_mean, snapped

CUT = Fraction(65, 100)


@given(st.lists(st.fractions(0, 1, max_denominator=60), min_size=1, max_size=8))
def test_a_mean_of_rounded_scores_is_snapped_to_what_it_truly_is(scores: list[Fraction]) -> None:
    truth = sum(scores, Fraction(0)) / len(scores)
    stored = Fraction(sum(round(score * 10**6) for score in scores), len(scores) * 10**6)

    assert snapped(stored, [truth], rounding=HALF_A_STEP) == truth


@pytest.mark.parametrize("distance", [Fraction(1, 10**6), Fraction(-1, 10**6), Fraction(51, 10**8)])
def test_what_is_further_away_than_rounding_explains_stays_what_it_is(distance: Fraction) -> None:
    assert snapped(CUT + distance, [CUT], rounding=HALF_A_STEP) == CUT + distance


def test_scores_of_0_and_1_are_never_snapped() -> None:
    nearly = Fraction(6_499_999, 10**7)

    rounding = rounding_of_mean([are_whole(score_sum=10**6, score_sq=10**12)] * 3)

    assert rounding == 0
    assert snapped(nearly, [CUT], rounding=rounding) == nearly


def test_a_mean_of_no_case_has_no_rounding() -> None:
    assert rounding_of_mean([]) == 0
