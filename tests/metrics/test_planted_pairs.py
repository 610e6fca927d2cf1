"""Pairs of runs with a known truth, and the verdicts that an honest statistician accepts for them."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.gates import decide_once
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import Verdict

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE
Rates = NDArray[np.float64]
RANDOM = np.random.default_rng(43)
MIXED = RANDOM.beta(0.5, 0.25, 164)
FLAKY = RANDOM.beta(8, 1.2, 164)


def sampled(p: Rates, n: int, seed: int) -> CaseCounts:
    return CaseCounts.of(n=n, c=np.random.default_rng(seed).binomial(n, p))


def independent(before: Rates, after: Rates, n: int = 5) -> PairedRuns:
    return PairedRuns(baseline=sampled(before, n, 1), current=sampled(after, n, 2))


def repeated(p: Rates, share: float, *, stored: bool = False, n: int = 5) -> PairedRuns:
    """Sample twice without a change; in a share of the cases all samples of a run are one answer."""
    counts, sums = [], []
    for seed in (11, 12):
        random = np.random.default_rng(seed)
        is_one = random.random(len(p)) < share
        c = np.where(is_one, n * random.binomial(1, p), random.binomial(n, p))
        different = np.where(is_one & stored, 1, n)
        counts.append(CaseCounts.of(n=different, c=np.where(is_one & stored, c // n, c)))
        total = different * c / n
        sums.append(CaseSums.of(n=different, total=total, total_sq=total))
    passes = (sums[0], sums[1]) if stored else None
    return PairedRuns(baseline=counts[0], current=counts[1], passes=passes)


def broken(p: Rates, cases: int) -> Rates:
    q = p.copy()
    q[np.argsort(-p)[:cases]] = 0.0
    return q


def with_errors(share: float) -> PairedRuns:
    full = CaseCounts.of(n=5, c=[5] * 100)
    return PairedRuns(baseline=full, current=full, error_share=share)


PLANTED: dict[str, tuple[Callable[[], PairedRuns], set[Verdict]]] = {
    "no change, mixed": (lambda: independent(MIXED, MIXED), {PASS, OPEN}),
    "no change, flaky": (lambda: independent(FLAKY, FLAKY), {PASS, OPEN}),
    "no change, ten samples": (lambda: independent(FLAKY, FLAKY, n=10), {PASS}),
    "10 points down everywhere": (lambda: independent(FLAKY, FLAKY - 0.1, n=10), {FAIL}),
    "10 points up everywhere": (lambda: independent(FLAKY - 0.1, FLAKY, n=10), {PASS}),
    "as far down as the margin": (
        lambda: independent(np.full(400, 0.6), np.full(400, 0.55), n=10),
        {FAIL, OPEN},
    ),
    "one point down, surely less than the margin": (
        lambda: independent(np.full(400, 0.9), np.full(400, 0.89), n=50),
        {PASS},
    ),
    "one of many sure cases broke": (lambda: independent(np.ones(164), broken(np.ones(164), 1)), {FAIL}),
    "three broke": (lambda: independent(MIXED, broken(MIXED, 3)), {FAIL}),
    "one broke with single samples": (
        lambda: independent(np.ones(164), broken(np.ones(164), 1), n=1),
        {PASS, OPEN},
    ),
    "half fell and half rose a little": (
        lambda: independent(np.full(100, 0.5), np.repeat([0.3, 0.7], 50), n=10),
        {FAIL, OPEN},
    ),
    "eight broke, others rose a little": (
        lambda: PairedRuns(
            baseline=CaseCounts.of(n=5, c=[5] * 8 + [3] * 40 + [5] * 90),
            current=CaseCounts.of(n=5, c=[0] * 8 + [4] * 40 + [5] * 90),
        ),
        {FAIL},
    ),
    "three samples say nothing": (lambda: independent(np.ones(1), np.ones(1), n=3), {OPEN}),
    "a few errors": (lambda: with_errors(0.02), {PASS}),
    "many errors": (lambda: with_errors(0.3), {OPEN}),
    "all samples repeat, counts": (lambda: repeated(FLAKY, 1.0), {OPEN}),
    "half repeat, counts": (lambda: repeated(FLAKY, 0.5), {OPEN}),
    "all samples repeat, answers": (lambda: repeated(FLAKY, 1.0, stored=True), {PASS, OPEN}),
    "half repeat, answers": (lambda: repeated(FLAKY, 0.5, stored=True), {PASS, OPEN}),
    "a fifth repeats, answers": (lambda: repeated(FLAKY, 0.2, stored=True), {PASS, OPEN}),
}


@pytest.mark.parametrize("name", PLANTED)
def test_the_verdict_is_one_that_the_truth_allows(name: str) -> None:
    pair, accepted = PLANTED[name]

    assert decide_once(pair()).verdict in accepted
