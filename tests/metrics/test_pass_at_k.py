from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb, expm1, fsum, log, nextafter, ulp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics import pass_at_k as module
from steelyard.metrics.pass_at_k import (
    estimate_pass_at_k,
    estimate_pass_hat_k,
    g_pass_at_k,
    log_fail,
    mg_pass_at_k,
    pass_at_k,
    pass_at_k_variance,
    pass_hat_k,
)
from steelyard.model.estimate import Estimate, Reason
from tests.golden_values import Row, golden_rows

FORMULAS = [pass_at_k, pass_hat_k, log_fail, mg_pass_at_k, pass_at_k_variance]
ESTIMATES = [estimate_pass_at_k, estimate_pass_hat_k]


@st.composite
def counts(draw: st.DrawFn, most: int = 2000) -> tuple[int, int, int]:
    """Draw n, c and k inside the domain of pass@k."""
    n = draw(st.integers(1, most))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


def miss(n: int, c: int, k: int) -> Fraction:
    """Return C(n-c, k) / C(n, k), straight from the definition."""
    return Fraction(comb(n - c, k), comb(n, k))


# --- golden values ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", golden_rows("pass_at_k"), ids=str)
def test_pass_at_k_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    value = pass_at_k(n=row["n"], c=row["c"], k=row["k"])

    assert value == row["value"]


@pytest.mark.parametrize("row", golden_rows("pass_at_k"), ids=str)
def test_log_fail_equals_the_golden_value(row: Row) -> None:
    value = log_fail(n=row["n"], c=row["c"], k=row["k"])

    assert value == (None if row["log_fail"] is None else pytest.approx(row["log_fail"], rel=4e-16, abs=0))


@pytest.mark.parametrize("row", golden_rows("pass_hat_k"), ids=str)
def test_pass_hat_k_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    value = pass_hat_k(n=row["n"], c=row["c"], k=row["k"])

    assert value == row["value"] == float(Fraction(row["exact"]))


@pytest.mark.parametrize("row", golden_rows("g_pass_at_k"), ids=str)
def test_g_pass_at_k_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    by_text = g_pass_at_k(n=row["n"], c=row["c"], k=row["k"], tau=row["tau"])
    by_float = g_pass_at_k(n=row["n"], c=row["c"], k=row["k"], tau=float(row["tau"]))

    assert by_text == by_float == row["value"]


@pytest.mark.parametrize("row", golden_rows("mg_pass_at_k"), ids=str)
def test_mg_pass_at_k_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    value = mg_pass_at_k(n=row["n"], c=row["c"], k=row["k"])

    assert value == row["value"]


@pytest.mark.parametrize("row", golden_rows("pass_at_k_variance_unbiased"), ids=str)
def test_the_variance_equals_the_golden_value_bit_for_bit(row: Row) -> None:
    value = pass_at_k_variance(n=row["n"], c=row["c"], k=row["k"])

    assert value == row["value"] == float(Fraction(row["exact"]))


@pytest.mark.parametrize("row", golden_rows("pass_at_k_sampling_moments"), ids=str)
def test_pass_at_k_is_unbiased_and_varies_as_the_golden_moments_say(row: Row) -> None:
    n, k, p = row["n"], row["k"], Fraction(row["p"])
    chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]

    values = [Fraction(pass_at_k(n=n, c=c, k=k)) for c in range(n + 1)]

    mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
    variance = sum(chance * (value - mean) ** 2 for chance, value in zip(chances, values, strict=True))
    assert float(mean) == pytest.approx(row["mean"], rel=1e-15)
    assert float(mean) == pytest.approx(float(1 - (1 - p) ** k), rel=1e-15)
    assert float(variance) == pytest.approx(row["variance"], rel=1e-14)


@pytest.mark.parametrize(
    "row", [row for row in golden_rows("pass_at_k_sampling_moments") if row["n"] >= 2 * row["k"]]
)
def test_the_variance_estimate_is_right_on_average(row: Row) -> None:
    n, k, p = row["n"], row["k"], float(Fraction(row["p"]))

    mean = fsum(
        comb(n, c) * p**c * (1 - p) ** (n - c) * pass_at_k_variance(n=n, c=c, k=k) for c in range(n + 1)
    )

    assert mean == pytest.approx(row["variance"], rel=1e-12)


# --- the domain -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [row for row in golden_rows("pass_at_k_undefined") if "error" in row], ids=str
)
@pytest.mark.parametrize("function", [*FORMULAS, *ESTIMATES])
def test_k_below_1_and_impossible_counts_are_refused(
    row: Row, function: Callable[..., float | Estimate | None]
) -> None:
    with pytest.raises(DomainError, match=r"k must be at least 1|between 0 and n = 5"):
        function(n=row["n"], c=row["c"], k=row["k"])


@pytest.mark.parametrize("function", [*FORMULAS, *ESTIMATES])
def test_a_negative_number_of_samples_is_refused(function: Callable[..., float | Estimate | None]) -> None:
    with pytest.raises(DomainError, match=r"passing.*c = 0$"):
        function(n=-1, c=0, k=1)


@pytest.mark.parametrize(
    "row", [row for row in golden_rows("pass_at_k_undefined") if "error" not in row], ids=str
)
@pytest.mark.parametrize("function", FORMULAS)
def test_a_formula_refuses_more_draws_than_samples(row: Row, function: Callable[..., float | None]) -> None:
    with pytest.raises(DomainError, match=r"^k = 10 exceeds n = 5: no unbiased|^n = 0: without samples"):
        function(n=row["n"], c=row["c"], k=row["k"])


@pytest.mark.parametrize("n", [0, 4])
def test_g_pass_at_k_refuses_more_draws_than_samples(n: int) -> None:
    with pytest.raises(DomainError, match=r"exceeds n|without samples"):
        g_pass_at_k(n=n, c=0, k=5, tau=0.5)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_k_above_n_is_undefined_with_a_reason(estimate: Callable[..., Estimate]) -> None:
    undefined = estimate(n=5, c=3, k=10)

    assert undefined == Estimate.undefined(Reason.K_EXCEEDS_N, "k = 10 exceeds n = 5")


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_no_samples_is_undefined_with_a_reason(estimate: Callable[..., Estimate]) -> None:
    undefined = estimate(n=0, c=0, k=1)

    assert undefined == Estimate.undefined(Reason.NO_SAMPLES)


def test_k_equal_to_n_is_defined() -> None:
    assert estimate_pass_at_k(n=5, c=1, k=5) == Estimate.of(1.0)
    assert estimate_pass_hat_k(n=5, c=4, k=5) == Estimate.of(0.0)


@pytest.mark.parametrize("tau", [-0.1, 1.1, "nan"])
def test_g_pass_at_k_refuses_a_share_outside_0_and_1(tau: float | str) -> None:
    with pytest.raises(DomainError, match=r"^tau must lie between 0 and 1|^expected a finite number"):
        g_pass_at_k(n=10, c=5, k=5, tau=tau)


def test_the_variance_needs_twice_k_samples() -> None:
    with pytest.raises(DomainError, match=r"variance of pass@3.*n = 5$"):
        pass_at_k_variance(n=5, c=2, k=3)


def test_the_variance_may_be_negative() -> None:
    assert pass_at_k_variance(n=4, c=1, k=2) == 0.25
    assert pass_at_k_variance(n=6, c=3, k=2) == float(Fraction(1, 5) ** 2)
    assert pass_at_k_variance(n=10, c=4, k=2) == float(miss(10, 4, 2) ** 2 - miss(10, 4, 4))
    assert pass_at_k_variance(n=7, c=1, k=2) == float(Fraction(5, 7) ** 2 - Fraction(3, 7))


# --- properties -------------------------------------------------------------------------------------


def test_pass_at_k_and_its_relatives_equal_enumeration_of_every_draw() -> None:
    for n in range(1, 9):
        for c in range(n + 1):
            samples = [index < c for index in range(n)]
            for k in range(1, n + 1):
                draws = [sum(draw) for draw in combinations(samples, k)]

                assert pass_at_k(n=n, c=c, k=k) == sum(passing >= 1 for passing in draws) / len(draws)
                assert pass_hat_k(n=n, c=c, k=k) == sum(passing == k for passing in draws) / len(draws)
                for need in range(1, k + 1):
                    enough = sum(passing >= need for passing in draws) / len(draws)
                    assert g_pass_at_k(n=n, c=c, k=k, tau=Fraction(need, k)) == enough


@settings(deadline=None)
@given(counts())
def test_pass_at_k_equals_the_exact_fraction_correctly_rounded(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = pass_at_k(n=n, c=c, k=k)

    assert value == float(1 - miss(n, c, k))


@settings(deadline=None)
@given(counts())
def test_pass_hat_k_equals_the_exact_fraction_correctly_rounded(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = pass_hat_k(n=n, c=c, k=k)

    assert value == float(Fraction(comb(c, k), comb(n, k)))


@settings(deadline=None)
@given(counts())
def test_pass_hat_k_is_one_minus_pass_at_k_of_the_failures(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    together = pass_hat_k(n=n, c=c, k=k) + pass_at_k(n=n, c=n - c, k=k)

    assert together == pytest.approx(1, abs=ulp(1))


@settings(deadline=None)
@given(counts())
def test_pass_at_k_never_falls_as_k_or_c_grows(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = pass_at_k(n=n, c=c, k=k)

    assert value <= pass_at_k(n=n, c=c, k=min(k + 1, n))
    assert value <= pass_at_k(n=n, c=min(c + 1, n), k=k)


@settings(deadline=None)
@given(counts())
def test_pass_hat_k_falls_with_k_and_grows_with_c(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = pass_hat_k(n=n, c=c, k=k)

    assert value >= pass_hat_k(n=n, c=c, k=min(k + 1, n))
    assert value <= pass_hat_k(n=n, c=min(c + 1, n), k=k)


@settings(deadline=None)
@given(counts(most=10**9))
def test_pass_at_1_is_the_pass_rate_bit_for_bit(drawn: tuple[int, int, int]) -> None:
    n, c, _ = drawn

    value = pass_at_k(n=n, c=c, k=1)

    assert value == pass_hat_k(n=n, c=c, k=1) == c / n


@settings(deadline=None)
@given(counts(most=200))
def test_g_pass_at_k_lies_between_pass_hat_k_and_pass_at_k(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    loosest = g_pass_at_k(n=n, c=c, k=k, tau=0)
    strictest = g_pass_at_k(n=n, c=c, k=k, tau=1)

    assert loosest == pass_at_k(n=n, c=c, k=k)
    assert strictest == pass_hat_k(n=n, c=c, k=k)


@settings(deadline=None)
@given(counts(most=60))
def test_mg_pass_at_k_is_the_mean_over_the_thresholds_above_one_half(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = mg_pass_at_k(n=n, c=c, k=k)

    thresholds = [Fraction(i, k) for i in range(-(-k // 2) + 1, k + 1)]
    expected = 2 / k * fsum(g_pass_at_k(n=n, c=c, k=k, tau=tau) for tau in thresholds)
    assert value == pytest.approx(expected, rel=1e-14, abs=0)
    assert 0 <= value <= 1


@settings(deadline=None)
@given(counts(most=400))
def test_log_fail_is_the_logarithm_of_the_failure(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    value = log_fail(n=n, c=c, k=k)

    missed = miss(n, c, k)
    if missed == 0:
        assert value is None
    else:
        assert value is not None
        exact_log = fsum((log(missed.numerator), -log(missed.denominator)))
        assert value == pytest.approx(exact_log, rel=1e-11, abs=1e-11)


# --- very many samples ------------------------------------------------------------------------------


def test_a_thousand_million_samples_are_no_matter() -> None:
    value = pass_at_k(n=10**9, c=100_000, k=90_000)

    assert value == pytest.approx(-expm1(-9.000_855_1), rel=1e-9)


def test_the_logarithmic_form_agrees_with_exact_integers_where_both_are_affordable() -> None:
    n, few, many = 3_000_000, 10_001, 10_002

    at_least_one = pass_at_k(n=n, c=few, k=many)
    every_one = pass_hat_k(n=n, c=n - few, k=many)

    missed = miss(n, many, few)
    assert at_least_one == pytest.approx(float(1 - missed), rel=4e-16)
    assert every_one == pytest.approx(float(missed), rel=1e-14)


def test_exact_integers_serve_up_to_ten_thousand_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fsum", None)

    value = pass_at_k(n=3_000_000, c=10_000, k=10_000)

    assert nextafter(1, 0) > value > 0.999_999
    assert pass_hat_k(n=3_000_000, c=2_990_000, k=10_000) == pytest.approx(1 - value, rel=1e-1)


def test_what_is_certain_is_known_at_once_however_many_samples_there_are() -> None:
    n, tenth = 10**12, 10**11

    assert pass_at_k(n=n, c=tenth, k=tenth) == 1.0
    assert pass_hat_k(n=n, c=n - tenth, k=tenth) == 0.0
    assert pass_at_k(n=n, c=n, k=1) == pass_at_k(n=n, c=1, k=n) == pass_hat_k(n=n, c=n, k=n) == 1.0
    assert pass_hat_k(n=n, c=n - 1, k=n) == pass_at_k(n=n, c=0, k=n) == 0.0


def test_a_failure_below_half_an_ulp_of_one_is_certainty() -> None:
    # c * k = 38 n: the failure is exp(-38) at most, which is below 2**-54.
    assert pass_at_k(n=10_000, c=3_800, k=100) == float(1 - miss(10_000, 3_800, 100)) == 1.0
    assert pass_at_k(n=10**8, c=370_000, k=10_000) == nextafter(1, 0)


def test_the_smallest_chances_do_not_vanish_early() -> None:
    n, c, k = 2_000, 1_000, 738

    value = pass_hat_k(n=n, c=c, k=k)

    assert 0 < value == float(Fraction(comb(c, k), comb(n, k))) < 1e-300
