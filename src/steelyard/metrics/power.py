"""Say what a comparison can see: the smallest drop for given samples, the samples for a given drop.

Noise is the mean over cases of p (1 - p), the variance of one sample of a case: measured from a past run,
or assumed. Everything here is about drawing the same cases again.
"""

from collections.abc import Mapping
from math import ceil, sqrt
from types import MappingProxyType

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import ROUNDING, CaseCounts, Floats, Ints
from steelyard.metrics.quantiles import normal_quantile

# Assumed noise, when there is no past run to measure it from.
PROFILES: Mapping[str, float] = MappingProxyType(
    {
        "u-shaped": 2 / 21,  # pass rates spread as Beta(1/2, 1/4): most cases easy or hard, many flaky
        "mostly-deterministic": 7 / 120,  # 35 % of the cases flaky, evenly spread; the others always agree
        "reliable": 50 * 0.5 / (50.5 * 51.5),  # pass rates spread as Beta(50, 1/2): 99 % everywhere
    }
)
PSEUDO_CASES = 2  # coin flips, so that a past run without a single flip does not promise silence
COIN_FLIP = 0.25
LEAST_CHANCE, LEAST_REACH = 0.01, 0.5


def minimum_detectable_drop(
    *, noise: float, cases: int, samples: float, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return the drop of the mean that a one-sided test at alpha sees with the chance `power`.

    (z_{1-alpha} + z_power) * sqrt(2 noise / (samples * cases)), samples per case in each run.
    Range: noise >= 0, cases and samples > 0; the result is in score units, so 0.038 is 3.8 points.
    Source: Miller 2024 (arXiv:2411.00640), its paired formula with the cases held fixed.

    >>> round(minimum_detectable_drop(noise=PROFILES["u-shaped"], cases=164, samples=5), 3)
    0.038
    """
    if noise < 0 or cases < 1 or samples <= 0:
        raise DomainError(f"noise >= 0, cases and samples > 0; got {noise}, {cases} and {samples}")
    return _reach(alpha, power) * sqrt(2 * noise / (samples * cases))


def samples_needed(*, drop: float, noise: float, cases: int, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return the samples per case, in each run, with which a drop of this size is seen.

    The smallest n >= 1 with `minimum_detectable_drop` <= drop: (z_{1-alpha} + z_power)² 2 noise /
    (cases * drop²), rounded up. Range: 0 < drop <= 1. Source: as `minimum_detectable_drop`.

    >>> samples_needed(drop=0.05, noise=PROFILES["u-shaped"], cases=164)
    3
    """
    if not 0 < drop <= 1:
        raise DomainError(f"a drop lies between 0 and 1, got {drop}")
    at_one = minimum_detectable_drop(noise=noise, cases=cases, samples=1, alpha=alpha, power=power)
    return max(1, ceil((at_one / drop) ** 2 - 1e-9))


def scaled(samples: int, *, chance: float, alpha: float, power: float) -> int:
    """Return the samples that have the chance `power` where so many samples were seen to have `chance`.

    samples ((z_{1-alpha} + z_power) / (z_{1-alpha} + z_chance))², rounded up, where the sum below is taken
    to be 1/2 at the least: a chance near that of a false alarm says little. Range: samples and more.
    Source: as `minimum_detectable_drop`, solved for samples.

    >>> scaled(20, chance=0.58, alpha=0.025, power=0.8), scaled(20, chance=0.0, alpha=0.025, power=0.8)
    (34, 628)
    """
    seen = max(LEAST_REACH, _reach(alpha, min(max(chance, LEAST_CHANCE), power)))
    return ceil(samples * (_reach(alpha, power) / seen) ** 2 - 1e-9)


def noise_after(rates: Floats, *, drop: float) -> float:
    """Return the noise of cases whose pass rates fall in proportion, so that their mean falls by `drop`.

    The mean of p r (1 - p r), r = 1 - drop / mean. Range: [0, 1/4]. Source: the damage of `detection`.

    >>> round(noise_after(np.array([1.0, 1.0]), drop=0.1), 3)
    0.09
    """
    fallen = rates * max(0.0, 1 - drop / max(drop, float(rates.mean())))
    return float((fallen * (1 - fallen)).mean())


def noise_of_run(counts: CaseCounts) -> float | None:
    """Return the noise seen in a past run; None when no case has two samples to compare.

    (sum of c (n - c) / (n (n - 1)) + 1/2) / (cases + 2) over the cases with n >= 2: unbiased per case,
    drawn towards noise by two pseudo-cases that flip a coin. Range: (0, 1/2].
    Source: p (1 - p) = half the chance that two runs of a case differ.

    >>> noise_of_run(CaseCounts.of(n=10, c=[10, 10, 0, 5, 8, 10]))
    0.11944444444444445
    """
    repeated = counts.n > 1
    n, c = counts.n[repeated], counts.c[repeated]
    return _with_coin_flips(c * (n - c) / (n * (n - 1))) if n.size else None


def allocate(history: CaseCounts, *, budget: int, minimum: int = 1) -> Ints:
    """Return how many samples to draw for each case so that the mean is known best for the budget.

    Neyman: n_i in proportion to sqrt(p_i (1 - p_i)), p_i = (c + 1/2) / (n + 1) from an earlier run, at
    least `minimum` each, rounded by largest remainder so that they sum to the budget exactly. Fixed
    before the run, so every estimate stays unbiased; adapting within a run does not.
    Range: budget >= minimum * cases. Source: Neyman 1934.

    >>> allocate(CaseCounts.of(n=10, c=[10, 10, 5, 0]), budget=20).tolist()
    [4, 4, 9, 3]
    """
    cases = len(history)
    if cases < 1 or minimum < 1 or budget < minimum * cases:
        raise DomainError(f"a budget of {budget} does not give {cases} cases {minimum} samples or more each")
    rates = (history.c + 0.5) / (history.n + 1)
    return _whole_shares(np.sqrt(rates * (1 - rates)), budget=budget, minimum=minimum)


def _reach(alpha: float, power: float) -> float:
    if not (0 < alpha < 1 and 0 < power < 1):
        raise DomainError(f"alpha and power lie between 0 and 1, got {alpha} and {power}")
    return normal_quantile(1 - alpha) + normal_quantile(power)


def _with_coin_flips(variances: Floats) -> float:
    return (float(variances.sum()) + PSEUDO_CASES * COIN_FLIP) / (len(variances) + PSEUDO_CASES)


def _whole_shares(weights: Floats, *, budget: int, minimum: int) -> Ints:
    """Share a budget by weight in whole numbers, none below the minimum."""
    shares = np.full(len(weights), float(minimum))
    above = np.ones(len(weights), dtype=bool)
    while True:  # a case below the minimum gets the minimum, and the others share the rest
        rest = budget - minimum * int((~above).sum())
        shares[above] = weights[above] * rest / weights[above].sum()
        short = shares < minimum - ROUNDING
        if not short.any():
            break
        shares[short] = minimum
        above &= ~short
    whole_numbers: Ints = np.floor(shares + ROUNDING).astype(np.int64)
    largest_first = np.argsort(np.round(whole_numbers - shares, 9), kind="stable")
    whole_numbers[largest_first[: budget - int(whole_numbers.sum())]] += 1
    return whole_numbers
