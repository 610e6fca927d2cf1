import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.flakiness import flip_rate
from steelyard.metrics.power import (
    PROFILES,
    allocate,
    minimum_detectable_drop,
    noise_after,
    noise_of_run,
    samples_needed,
    scaled,
)
from tests.metrics.strategies import runs, unhurried


@pytest.mark.parametrize(
    ("profile", "points"),
    [
        ("u-shaped", [8.5, 6.0, 3.8, 2.7, 1.9, 1.2]),
        ("mostly-deterministic", [6.6, 4.7, 3.0, 2.1, 1.5, 0.9]),
        ("reliable", [2.7, 1.9, 1.2, 0.9, 0.6, 0.4]),
    ],
)
def test_the_profiles_reproduce_the_published_table_for_164_cases(profile: str, points: list[float]) -> None:
    found = [
        100 * minimum_detectable_drop(noise=PROFILES[profile], cases=164, samples=n)
        for n in (1, 2, 5, 10, 20, 50)
    ]

    assert [round(drop, 1) for drop in found] == points


@unhurried
@given(st.floats(0.001, 0.25), st.integers(5, 1000), st.floats(0.005, 0.5), st.floats(0.5, 0.99))
def test_the_samples_needed_are_just_enough(noise: float, cases: int, drop: float, power: float) -> None:
    n = samples_needed(drop=drop, noise=noise, cases=cases, power=power)

    assert minimum_detectable_drop(noise=noise, cases=cases, samples=n, power=power) <= drop * (1 + 1e-9)
    if n > 1:
        one_less = minimum_detectable_drop(noise=noise, cases=cases, samples=n - 1, power=power)
        assert one_less > drop * (1 - 1e-9)


@unhurried
@given(runs(most_samples=8))
def test_the_noise_of_a_run_is_half_its_flip_rate_drawn_towards_a_coin(counts: CaseCounts) -> None:
    noise = noise_of_run(counts)

    flips = flip_rate(counts)
    if flips is not None:
        assert noise == pytest.approx((len(counts) * flips / 2 + 0.5) / (len(counts) + 2))


def test_single_samples_say_nothing_about_noise() -> None:
    assert noise_of_run(CaseCounts.of(n=1, c=[1, 0, 1])) is None


def test_only_repeated_cases_say_something_about_noise() -> None:
    assert noise_of_run(CaseCounts.of(n=[1, 4], c=[1, 2])) == noise_of_run(CaseCounts.of(n=4, c=[2]))


@pytest.mark.parametrize(("noise", "cases", "samples"), [(-0.1, 10, 1), (0.1, 0, 1), (0.1, 10, 0)])
def test_impossible_plans_are_refused(noise: float, cases: int, samples: int) -> None:
    with pytest.raises(DomainError, match="noise >= 0"):
        minimum_detectable_drop(noise=noise, cases=cases, samples=samples)


@pytest.mark.parametrize(("alpha", "power"), [(0, 0.8), (0.05, 1), (1.5, 0.8)])
def test_impossible_error_rates_are_refused(alpha: float, power: float) -> None:
    with pytest.raises(DomainError, match="alpha and power"):
        minimum_detectable_drop(noise=0.1, cases=10, samples=1, alpha=alpha, power=power)


@pytest.mark.parametrize("drop", [0, -0.1, 1.5])
def test_a_drop_outside_zero_and_one_is_refused(drop: float) -> None:
    with pytest.raises(DomainError, match="a drop lies"):
        samples_needed(drop=drop, noise=0.1, cases=10)


# --- allocation -------------------------------------------------------------------------------------


@unhurried
@given(runs(), st.integers(1, 3), st.integers(0, 200))
def test_an_allocation_spends_the_budget_and_skips_nobody(counts: CaseCounts, least: int, extra: int) -> None:
    budget = least * len(counts) + extra

    samples = allocate(counts, budget=budget, minimum=least)

    assert samples.sum() == budget
    assert samples.min() >= least


@unhurried
@given(runs(), st.integers(20, 200))
def test_a_flakier_history_never_gets_clearly_less(counts: CaseCounts, extra: int) -> None:
    samples = allocate(counts, budget=len(counts) + extra)
    rates = (counts.c + 0.5) / (counts.n + 1)

    by_noise = samples[np.argsort(rates * (1 - rates), kind="stable")]
    assert np.all(np.diff(by_noise) >= -1)


def test_a_tight_budget_gives_everybody_the_same() -> None:
    samples = allocate(CaseCounts.of(n=10, c=[0, 3, 5, 10]), budget=4)

    assert samples.tolist() == [1, 1, 1, 1]


def test_the_flaky_half_gets_what_neyman_says() -> None:
    samples = allocate(CaseCounts.of(n=99, c=[99, 49]), budget=1000)
    certain, flaky = np.sqrt(0.995 * 0.005), np.sqrt(0.495 * 0.505)

    assert samples[0] == round(1000 * certain / (certain + flaky))


@pytest.mark.parametrize(("budget", "minimum"), [(1, 1), (3, 2), (10, 0)])
def test_a_budget_that_leaves_somebody_out_is_refused(budget: int, minimum: int) -> None:
    with pytest.raises(DomainError, match=r"2.*cases"):
        allocate(CaseCounts.of(n=1, c=[0, 1]), budget=budget, minimum=minimum)


def test_a_budget_for_no_cases_is_refused() -> None:
    with pytest.raises(DomainError, match=r"0.*cases"):
        allocate(CaseCounts.of(n=[], c=[]), budget=5)


def test_the_samples_that_a_simulation_asks_for_grow_with_what_it_lacked() -> None:
    grown = [scaled(20, chance=chance, alpha=0.025, power=0.8) for chance in (0.8, 0.6, 0.3, 0.0)]

    assert grown[0] == 20
    assert grown == sorted(set(grown))
    assert scaled(20, chance=0.9, alpha=0.025, power=0.8) == 20


def test_the_noise_after_a_drop_is_that_of_the_fallen_rates() -> None:
    sure = np.array([1.0, 1.0, 0.0])

    assert noise_after(sure, drop=0) == 0
    assert noise_after(sure, drop=1 / 3) == pytest.approx((0.25 + 0.25) / 3)
    assert noise_after(sure, drop=0.9) == 0  # nothing is left that could pass
