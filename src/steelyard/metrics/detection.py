"""Say how likely two runs are to show a drop: draw such pairs, and test each of them as the gate does.

The chances are those of the test that decides, not of a formula beside it.
"""

from collections.abc import Callable
from math import ceil

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, Floats, Ints
from steelyard.metrics.drop_test import joint_drop_p
from steelyard.metrics.multiplicity import TIE
from steelyard.model.verdict import DetectionChances

SEED = 20261116  # the same counts get the same chances, on every machine
PAIRS, FEWEST_PAIRS = 200, 20
SAMPLES_IN_ALL, DRAWS_IN_ALL = 600_000, 40_000  # of all pairs, above which fewer are drawn
DRAWS = 199  # of each test: it keeps its level, and sees hardly less than with thousands
SOUND = 0.9  # a case that passes this often can break
TYPICAL = 50  # draws of all rates, enough for their mean

Rates = Callable[[np.random.Generator], Floats]  # the pass rate of every case, as it may be


def detection_chances(
    rates: Rates, *, before: Ints, after: Ints, drop: float, alpha: float = 0.05
) -> DetectionChances:
    """Return how often `joint_drop_test` shows two kinds of damage at this level, by simulation.

    Pairs of runs are drawn with `before` and `after` samples of each case. One kind lowers every rate in
    proportion, so that the mean falls by `drop`; the other makes one case fail always that passed in 90 %
    or more of its samples. Range: chances in [0, 1], with a standard error of at most 1 / (2 √pairs): 0.036
    for 3,000 samples or fewer at an alpha of 0.025 or more, and up to 0.11 at smaller ones. Source:
    simulation of the test itself; `python -m perf.simulations detection` tries it.

    >>> sure = lambda rng: np.full(100, 0.99)
    >>> five = np.full(100, 5)
    >>> found = detection_chances(sure, before=five, after=five, drop=0.05)
    >>> found.spread > 0.9, found.one_case > 0.9
    (True, True)
    """
    if not 0 < drop <= 1:
        raise DomainError(f"a drop lies between 0 and 1, got {drop}")
    rng = np.random.default_rng(SEED)
    draws = max(DRAWS, ceil(5 / alpha) - 1)
    pairs = max(FEWEST_PAIRS, min(PAIRS, SAMPLES_IN_ALL // int(after.sum()), DRAWS_IN_ALL // draws))
    spread = one_case = 0
    for _ in range(pairs):
        p = rates(rng)
        baseline = CaseCounts.of(n=before, c=rng.binomial(before, p))
        for_all = CaseCounts.of(n=after, c=rng.binomial(after, p * (1 - drop / max(drop, float(p.mean())))))
        for_one = rng.binomial(after, p)
        for_one[_sound_case(p, rng)] = 0
        level = alpha * TIE
        spread += joint_drop_p(baseline, for_all, draws=draws) <= level
        one_case += joint_drop_p(baseline, CaseCounts.of(n=after, c=for_one), draws=draws) <= level
    return DetectionChances(drop=drop, spread=spread / pairs, one_case=one_case / pairs, pairs=pairs)


def rates_seen(counts: CaseCounts) -> Rates:
    """Return pass rates as they may be after these samples: a Beta law over cases, and what each case showed.

    The law has the mean pass rate and the noise of the samples, (sum of c (n - c) / (n (n - 1)) + 1/8) /
    (cases + 1/2) over the cases with n >= 2. Range: rates in [0, 1]; some case needs two samples.
    Source: the beta-binomial model, by moments.

    >>> rates = rates_seen(CaseCounts.of(n=10, c=[10, 10, 0, 5]))(np.random.default_rng(1))
    >>> rates.round(1).tolist()
    [1.0, 1.0, 0.1, 0.4]
    """
    n, c = counts.n, counts.c
    repeated = n > 1
    if not repeated.any():
        raise DomainError("no case has two samples, so that its noise cannot be seen")
    several, passed = n[repeated], c[repeated]
    disagreement = float((passed * (several - passed) / (several * (several - 1))).sum())
    mean = (float(c.sum()) + 0.5) / (float(n.sum()) + 1)
    most = mean * (1 - mean)
    noise = min((disagreement + 1 / 8) / (len(several) + 1 / 2), 0.999 * most)
    weight = noise / (most - noise)
    return lambda rng: rng.beta(mean * weight + c, (1 - mean) * weight + n - c)


def typical_rates(rates: Rates) -> Floats:
    """Return the pass rates of some draws, one after the other.

    Range: rates in [0, 1]. Source: draws of the law itself, the same on every machine.

    >>> typical_rates(lambda rng: np.array([0.5, 1.0])).mean()
    np.float64(0.75)
    """
    rng = np.random.default_rng(SEED)
    return np.concatenate([rates(rng) for _ in range(TYPICAL)])


def planned_chances(
    rates: Rates, *, cases: int, samples: int, drop: float, alpha: float = 0.05
) -> DetectionChances:
    """Return the chances of two runs that are planned, with as many samples of every case in both.

    Range and source as `detection_chances`.

    >>> planned_chances(assumed_rates("reliable", cases=50), cases=50, samples=5, drop=0.1).spread > 0.9
    True
    """
    each = np.full(cases, samples)
    return detection_chances(rates, before=each, after=each, drop=drop, alpha=alpha)


def paired_chances(
    baseline: CaseCounts, current: CaseCounts, *, drop: float, alpha: float = 0.05
) -> DetectionChances:
    """Return the chances of two runs that are there, with rates as both of them together show them.

    Range and source as `detection_chances`.

    >>> counts = CaseCounts.of(n=5, c=[5] * 60)
    >>> paired_chances(counts, counts, drop=0.05).one_case > 0.9
    True
    """
    case_counts = CaseCounts(n=baseline.n + current.n, c=baseline.c + current.c)
    return detection_chances(
        rates_seen(case_counts), before=baseline.n, after=current.n, drop=drop, alpha=alpha
    )


def assumed_rates(profile: str, *, cases: int) -> Rates:
    """Return pass rates for a plan without a past run; their noise is that of `metrics/power.PROFILES`.

    Range: rates in [0, 1], for the profiles there are. Source: the populations of `simulations`.

    >>> rates = assumed_rates("reliable", cases=1000)(np.random.default_rng(1))
    >>> bool(rates.mean() > 0.98)
    True
    """
    if profile == "mostly-deterministic":
        return lambda rng: _flaky_third(rng, cases)
    a, b = {"u-shaped": (0.5, 0.25), "reliable": (50, 0.5)}[profile]
    return lambda rng: rng.beta(a, b, cases)


def _flaky_third(rng: np.random.Generator, cases: int) -> Floats:
    kind = rng.random(cases)
    return np.where(kind < 0.55, 1.0, np.where(kind < 0.65, 0.0, rng.random(cases)))  # noqa: PLR2004


def _sound_case(p: Floats, rng: np.random.Generator) -> int:
    sound = np.flatnonzero(p >= SOUND)
    return int(rng.choice(sound)) if sound.size else int(p.argmax())
