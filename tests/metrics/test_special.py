"""The incomplete beta and gamma functions, held against scipy and against arithmetic with forty digits."""

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from steelyard.metrics.special import beta_below, binomial_above, coin_at_most, gamma_below, log_beta

PARAMETERS = st.floats(0.3, 20_000)
SHARES = st.floats(1e-6, 1 - 1e-6)


@given(a=PARAMETERS, b=PARAMETERS, x=SHARES)
def test_the_beta_function_agrees_with_scipy(a: float, b: float, x: float) -> None:
    assert beta_below(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-12)


@given(a=PARAMETERS, b=PARAMETERS, x=SHARES)
def test_both_sides_add_up_to_one(a: float, b: float, x: float) -> None:
    assert beta_below(a, b, x) + beta_below(b, a, 1 - x) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [(0.5, 0.5, 0.1), (5.5, 0.5, 0.7), (2, 3, 1e-8), (500, 300, 0.6), (40, 4_000, 0.012)],
)
def test_single_values_agree_to_eleven_digits_with_exact_arithmetic(a: float, b: float, x: float) -> None:
    with mpmath.workdps(40):
        expected = float(mpmath.betainc(a, b, 0, x, regularized=True))

    assert beta_below(a, b, x) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("a", [0.3, 1, 14.9, 15, 400, 1e6])
@pytest.mark.parametrize("b", [0.5, 15.1, 3e5])
def test_the_logarithm_of_the_complete_function_keeps_its_digits(a: float, b: float) -> None:
    with mpmath.workdps(40):
        expected = float(mpmath.log(mpmath.beta(a, b)))

    assert log_beta(a, b) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(("x", "expected"), [(0.0, 0.0), (1.0, 1.0), (1e-200, 0.0)])
def test_the_ends_are_exact(x: float, expected: float) -> None:
    assert beta_below(3, 4, x) == expected


@given(trials=st.integers(1, 300), share=st.floats(0, 1), p=st.floats(0, 1))
def test_binomial_tails_agree_with_scipy(trials: int, share: float, p: float) -> None:
    successes = min(int(share * trials), trials - 1)

    assert binomial_above(successes, trials, p) == pytest.approx(
        special.bdtrc(successes, trials, p), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("tosses", [1, 10, 999, 1_000, 1_001, 50_000])
def test_a_fair_coin_agrees_with_scipy(tosses: int) -> None:
    for heads in (0, tosses // 3, tosses // 2, tosses):
        assert coin_at_most(heads, tosses) == pytest.approx(special.bdtr(heads, tosses, 0.5), rel=1e-9)


@given(a=st.floats(0.05, 20_000), x=st.floats(0, 40_000))
def test_the_gamma_function_agrees_with_scipy(a: float, x: float) -> None:
    assert gamma_below(a, x) == pytest.approx(special.gammainc(a, x), rel=1e-8, abs=1e-10)


@given(events=st.integers(1, 60), mean=st.floats(0.01, 90))
def test_a_whole_gamma_function_counts_rare_events(events: int, mean: float) -> None:
    assert gamma_below(events, mean) == pytest.approx(1 - special.pdtr(events - 1, mean), abs=1e-9)
