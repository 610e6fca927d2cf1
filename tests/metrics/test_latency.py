from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.latency import latency_score


@pytest.mark.parametrize(
    ("latency_s", "score"),
    [(0, 1), (1, 1), (2, Fraction(3, 4)), (3, Fraction(1, 2)), (4.6, Fraction(1, 10)), (5, 0), (60, 0)],
)
def test_the_score_falls_in_a_straight_line_from_good_to_bad(latency_s: float, score: Fraction) -> None:
    assert latency_score(latency_s, good_s=1, bad_s=5) == score


@settings(deadline=None)
@given(st.fractions(0, 100, max_denominator=1000), st.fractions(0, 100, max_denominator=1000))
def test_a_slower_answer_never_scores_higher(one: Fraction, other: Fraction) -> None:
    fast, slow = sorted((one, other))

    scores = [latency_score(latency, good_s=10, bad_s=60) for latency in (slow, fast)]

    assert 0 <= scores[0] <= scores[1] <= 1


@pytest.mark.parametrize(("good_s", "bad_s"), [(5, 5), (6, 5)])
def test_good_must_be_less_than_bad(good_s: int, bad_s: int) -> None:
    with pytest.raises(DomainError, match=rf"^good_s must be less than bad_s, got {good_s} and {bad_s}$"):
        latency_score(1, good_s=good_s, bad_s=bad_s)


def test_negative_times_are_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"^latency_s.*negative"):
        latency_score(-1, good_s=1, bad_s=5)
    with pytest.raises(DomainError, match=r"^good_s.*negative"):
        latency_score(1, good_s=-1, bad_s=5)
    with pytest.raises(DomainError, match=r"^bad_s.*negative"):
        latency_score(1, good_s=1, bad_s=-5)


def test_any_answer_may_be_good_at_no_time_at_all() -> None:
    assert latency_score(0, good_s=0, bad_s=1) == 1
