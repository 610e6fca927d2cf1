"""How often a gate sees a drop, by drawing pairs of runs."""

from dataclasses import replace

import numpy as np
import pytest

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.detection import assumed_rates, detection_chances, paired_chances, rates_seen
from steelyard.metrics.drop_test import joint_drop_p, joint_drop_test
from steelyard.metrics.power import PROFILES, noise_of_run
from steelyard.model.verdict import DetectionChances


def chances(profile: str, *, cases: int, samples: int, drop: float = 0.05) -> DetectionChances:
    each = np.full(cases, samples)
    return detection_chances(assumed_rates(profile, cases=cases), before=each, after=each, drop=drop)


@pytest.mark.parametrize(
    ("profile", "spread", "one_case"), [("u-shaped", 0.89, 0.66), ("mostly-deterministic", 0.97, 0.87)]
)
def test_the_chances_are_those_that_were_measured_of_the_test(
    profile: str, spread: float, one_case: float
) -> None:
    found = chances(profile, cases=164, samples=5)

    assert found.spread == pytest.approx(spread, abs=0.08)
    assert found.one_case == pytest.approx(one_case, abs=0.08)


def test_single_samples_do_not_show_a_broken_case() -> None:
    assert chances("u-shaped", cases=164, samples=1).one_case < 0.15


def test_more_samples_and_larger_drops_are_seen_more_often() -> None:
    few, many = (chances("u-shaped", cases=60, samples=samples) for samples in (2, 10))
    large = chances("u-shaped", cases=60, samples=2, drop=0.2)

    assert few.spread < many.spread
    assert few.one_case < many.one_case
    assert few.spread < large.spread


def test_a_drop_larger_than_the_pass_rate_is_a_drop_to_nothing() -> None:
    hard = CaseCounts.of(n=5, c=[1] * 30)

    assert paired_chances(hard, hard, drop=0.5) == replace(paired_chances(hard, hard, drop=0.9), drop=0.5)


def test_runs_that_are_there_are_taken_together() -> None:
    rng = np.random.default_rng(7)
    p = assumed_rates("u-shaped", cases=164)(rng)
    runs = [CaseCounts.of(n=5, c=rng.binomial(5, p)) for _ in range(2)]

    found = paired_chances(*runs, drop=0.05)

    assert found.spread == pytest.approx(0.89, abs=0.12)
    assert found == paired_chances(*runs, drop=0.05)


@pytest.mark.parametrize("profile", PROFILES)
def test_assumed_rates_have_the_noise_of_their_profile(profile: str) -> None:
    rates = assumed_rates(profile, cases=100_000)(np.random.default_rng(3))

    assert float((rates * (1 - rates)).mean()) == pytest.approx(PROFILES[profile], rel=0.05)


def test_seen_rates_have_the_mean_and_the_noise_of_the_samples() -> None:
    rng = np.random.default_rng(5)
    counts = CaseCounts.of(n=4, c=rng.binomial(4, rng.beta(0.5, 0.25, 2_000)))

    rates = rates_seen(counts)(rng)

    assert float(rates.mean()) == pytest.approx(float(counts.rates.mean()), abs=0.01)
    assert float((rates * (1 - rates)).mean()) == pytest.approx(noise_of_run(counts), rel=0.05)


def test_cases_without_any_difference_are_taken_to_be_alike() -> None:
    rates = rates_seen(CaseCounts.of(n=2, c=[1] * 50))(np.random.default_rng(2))

    assert float(rates.std()) < 0.05


def test_a_level_below_what_few_draws_can_show_gets_more_of_them() -> None:
    counts = CaseCounts.of(n=10, c=[10] * 60)

    assert paired_chances(counts, counts, drop=0.1, alpha=0.001).one_case > 0.9


def test_single_samples_alone_show_no_noise() -> None:
    with pytest.raises(DomainError, match="two samples"):
        rates_seen(CaseCounts.of(n=1, c=[1, 0]))


@pytest.mark.parametrize("drop", [0, -0.1, 1.5])
def test_a_drop_outside_0_to_1_is_refused(drop: float) -> None:
    with pytest.raises(DomainError, match="between 0 and 1"):
        paired_chances(CaseCounts.of(n=5, c=[5]), CaseCounts.of(n=5, c=[5]), drop=drop)


def test_the_short_test_agrees_with_the_long_one() -> None:
    before = CaseCounts.of(n=5, c=[5] * 90 + [3] * 10)
    after = CaseCounts.of(n=5, c=[5] * 88 + [3, 4] + [3] * 10)

    assert joint_drop_p(before, after, draws=3999) == pytest.approx(
        joint_drop_test(before, after).p, abs=0.02
    )
