import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.summary import CostOfPass
from steelyard.render.numbers import (
    UNDEFINED,
    bounds,
    cost_of_pass,
    estimate_at,
    estimated,
    in_percent,
    interval_for,
    once_in,
    p_value,
    percent,
    points,
    seconds,
    share,
    significant,
    size_in_points,
    span,
    step,
    usd,
)
from tests.analysis.reports import at_ks, interval, rerun


@given(st.floats(min_value=0, max_value=1))
def test_only_a_certain_score_is_shown_as_certain(value: float) -> None:
    assert (share(value) == "1.0000") == (value == 1)
    assert (share(value) == "0.0000") == (value == 0)


@given(st.floats(min_value=-1, max_value=1), st.floats(min_value=0, max_value=1))
def test_a_step_beyond_the_threshold_never_reads_as_the_threshold(value: float, threshold: float) -> None:
    written = step(value, beyond=threshold)

    assert float(written) == pytest.approx(value, abs=5e-5)
    if abs(abs(value) - threshold) > 1e-9:
        assert abs(float(written)) != threshold


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (-0.3, "-0.3000"),
        (-0.050001, "-0.050001"),
        (0.05000000001, "+0.05000000001"),
        (0.05, "+0.0500"),
        (-0.00001, "0.0000"),
    ],
)
def test_a_step_has_the_digits_that_matter(value: float, shown: str) -> None:
    assert step(value, beyond=0.05) == shown


def test_a_step_too_close_to_the_threshold_for_any_digits_is_still_written() -> None:
    assert step(0.05 + 1e-15, beyond=0.05) == "+0.050000000000"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "$0"),
        (1_234_567.891, "$1,234,567.89"),
        (1, "$1.00"),
        (0.412, "$0.4120"),
        (0.0069, "$0.0069"),
        (0.000999, "$0.000999"),
        (0.000000005, "$0.000000005"),
    ],
)
def test_money_has_sensible_digits(value: float, shown: str) -> None:
    assert usd(value) == shown


def test_times_have_sensible_digits() -> None:
    assert [seconds(value) for value in (0, 90.5, 0.971, 0.0123)] == ["0.00", "90.50", "0.97", "0.0123"]


def test_relative_changes_are_signed_and_a_zero_is_not() -> None:
    assert [percent(value) for value in (0.2, -0.125, 0, -0.0001, 25)] == [
        "+20.0 %",
        "-12.5 %",
        "0.0 %",
        "0.0 %",
        "+2,500.0 %",
    ]


def test_any_size_of_number_has_three_digits() -> None:
    assert [significant(value) for value in (0, 0.0025, 2.06e-07)] == ["0", "0.0025", "2.06e-07"]


def test_an_undefined_estimate_is_a_dash() -> None:
    assert estimated(Estimate.undefined(Reason.NO_CASES), share) == UNDEFINED
    assert estimated(None, share) == UNDEFINED
    assert estimated(Estimate.of(0.5), share) == "0.5000"


def test_an_estimate_is_found_by_its_k() -> None:
    assert estimate_at(at_ks(0.5, 0.9), 5) == Estimate.of(0.9)
    assert estimate_at(at_ks(0.5, 0.9), 7).reason is Reason.NOT_MEASURED


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (CostOfPass(value=0.625), "$0.6250"),
        (CostOfPass(value=None, infinite=True, lower_bound=1.9315), "≥ $1.93 (0 of 10 passed)"),
        (CostOfPass(value=None, infinite=True), "infinite (0 of 10 passed)"),
        (CostOfPass(value=None), UNDEFINED),
        (None, UNDEFINED),
    ],
)
def test_a_pass_that_never_came_has_a_least_price(cost: CostOfPass | None, shown: str) -> None:
    assert cost_of_pass(cost, samples=10) == shown


@given(st.floats(min_value=0, max_value=1))
def test_only_a_certain_chance_is_shown_as_certain(value: float) -> None:
    assert (in_percent(value) == "100 %") == (value == 1)
    assert (in_percent(value) == "0 %") == (value == 0)


@given(st.floats(min_value=0, max_value=1))
def test_a_chance_is_never_shown_as_impossible(p: float) -> None:
    assert float(p_value(p).split()[-1]) > 0


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.5, "p = 0.50"),
        (0.1, "p = 0.10"),
        (0.0996, "p = 0.1"),
        (0.013, "p = 0.013"),
        (0.0001, "p = 0.0001"),
        (0.00009, "p < 0.0001"),
        (0, "p < 0.0001"),
        (0.995, "p > 0.99"),
        (1, "p = 1"),
    ],
)
def test_a_p_value_has_two_digits(p: float, shown: str) -> None:
    assert p_value(p) == shown


def test_a_small_chance_is_told_as_people_meet_it() -> None:
    assert [once_in(p) for p in (0.5, 0.025, 1 / 1234, 1e-6, 1e-7)] == [
        "once in 2",
        "once in 40",
        "once in 1,200",
        "once in 1,000,000",
        "less than once in a million",
    ]


def test_points_are_signed_and_a_zero_is_not() -> None:
    assert [points(value) for value in (-0.0333, 0.5, 0.0004, -0.00001, 0.0)] == [
        "-3.3",
        "+50.0",
        "+0.04",
        "0.0",
        "0.0",
    ]


@given(st.floats(min_value=0, max_value=1), st.floats(min_value=0.001, max_value=1))
def test_a_drop_that_is_not_the_margin_never_reads_as_the_margin(value: float, margin: float) -> None:
    shown, beside = size_in_points(value, beside=margin), size_in_points(margin)

    assert float(shown.split()[0]) == pytest.approx(100 * value, abs=0.051)
    if abs(value - margin) > 1e-6 and len(beside) < 8:  # a margin that people would type
        assert shown != beside


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0 points"),
        (0.01, "1 point"),
        (0.1, "10 points"),
        (1, "100 points"),
        (0.0000001, "0.00001 points"),
    ],
)
def test_a_size_has_no_needless_digits(value: float, shown: str) -> None:
    assert size_in_points(value) == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.6149, 0.97, "0.61–0.97"),  # noqa: RUF001  # as shown
        (0.6382, 0.6741, "0.638–0.674"),  # noqa: RUF001  # as shown
        (0.77001, 0.77242, "0.7700–0.7724"),  # noqa: RUF001  # as shown
        (1.0, 1.0, "1.0000–1.0000"),  # noqa: RUF001  # as shown
        (None, 0.5, UNDEFINED),
        (0.5, None, UNDEFINED),
    ],
)
def test_a_narrow_interval_has_more_digits(low: float | None, high: float | None, shown: str) -> None:
    assert span(interval(low, high)) == shown


def test_no_interval_is_a_dash() -> None:
    assert span(None) == bounds(None, usd) == bounds(interval(None, None), usd) == UNDEFINED


def test_an_interval_may_lack_an_end() -> None:
    assert bounds(interval(0.5, None), usd) == "≥ $0.5000"
    assert bounds(interval(None, 0.5), usd) == "≤ $0.5000"
    assert bounds(interval(0.5, 1), usd, to=" and ") == "$0.5000 and $1.00"


def test_an_interval_is_found_by_what_it_is_for() -> None:
    estimate = Estimate.of(0.5, interval(0.1, 0.9), rerun(0.4, 0.6))
    found: Interval | None = interval_for(Target.RERUN, estimate)

    assert found == rerun(0.4, 0.6)
    assert interval_for(Target.RERUN, Estimate.of(0.5)) is None
    assert interval_for(Target.NEW_CASES, None) is None
