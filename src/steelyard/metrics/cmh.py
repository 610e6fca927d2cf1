"""Test whether the cases of two paired runs, taken together, dropped.

One statistic serves all: Cochran-Mantel-Haenszel with cases as strata, which is McNemar's test at one
sample per case and a stratified permutation test for scores. The null hypothesis is that no case changed.
Negative z and small p mean a drop. Single cases are tested in `metrics/multiplicity.py`.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import sqrt
from typing import NamedTuple

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, CaseSums, Floats, check_paired, distinct
from steelyard.metrics.quantiles import normal_below
from steelyard.metrics.special import coin_at_most

# Up to this null variance of the passes the whole distribution is convolved. A hundred thousand cases of
# 10 + 10 samples have about 50,000; a million of 5 + 5, where the normal form is off by 1e-7, have more.
EXACT_VARIANCE = 200_000.0
CUT_MASS = 1e-100  # tails lighter than this are cut off while convolving
CUT_WIDTH = 4_096  # shorter distributions are never cut
SMALLEST_P = 1e-90  # so that what was cut off cannot matter; no p-value below it is reported
# No sum of coin tosses, each with its own stake, has a tail heavier than the normal one times this:
# 1 / (4 P(Z > sqrt 2)), by Bentkus and Dzindzalieta 2015.
PERMUTED = 3.178
NOISE = 1e-12  # a spread below this share of the squares is rounding, not spread


class PMethod(StrEnum):
    """How a p-value was computed."""

    EXACT = "exact"  # the conditional distribution itself
    NORMAL = "normal"  # normal approximation with continuity correction
    CLUSTERS = "clusters"  # the runs of whole clusters exchanged at random
    NO_EVIDENCE = "no_evidence"  # every case has one outcome only, so nothing could differ


@dataclass(frozen=True, slots=True, kw_only=True)
class DropTest:
    """A one-sided test for a drop: passes short of expectation, their null variance, and the p-value."""

    excess: float
    variance: float
    z: float | None
    p: float
    method: PMethod


class _Law(NamedTuple):
    """The chances that a whole number is `start`, `start` + 1, and so on."""

    start: int
    chances: Floats


def cmh_test(baseline: CaseCounts, current: CaseCounts, *, exact_up_to: float = EXACT_VARIANCE) -> DropTest:
    """Test whether the current run passes less, all cases together, against "no case changed".

    T = sum of c1 - (c0 + c1) n1 / N with N = n0 + n1; V = sum of s (N - s) n0 n1 / (N² (N - 1)),
    s = c0 + c1; z = T / sqrt(V); p = P(T <= observed) given every case's s. Exact by convolving the
    cases' hypergeometric distributions while V <= `exact_up_to`, else normal with continuity correction;
    `method` says which. z is None and p is 1 when no case could differ. Range: p in [1e-90, 1].
    Source: Mantel and Haenszel 1959; exact form as R's mantelhaen.test(exact = TRUE).

    >>> baseline, current = CaseCounts.of(n=5, c=[5, 4, 2, 5]), CaseCounts.of(n=5, c=[3, 4, 0, 5])
    >>> test = cmh_test(baseline, current)
    >>> round(test.z, 4), round(test.p, 4), test.method.value
    (-1.7321, 0.0933, 'exact')
    """
    check_paired(baseline, current)
    excess, variance = _excess_and_variance(baseline, current)
    if variance == 0:
        return DropTest(excess=0.0, variance=0.0, z=None, p=1.0, method=PMethod.NO_EVIDENCE)
    exact = variance <= exact_up_to
    return DropTest(
        excess=excess,
        variance=variance,
        z=excess / sqrt(variance),
        p=exact_drop_p(baseline, current) if exact else corrected_drop_p(excess=excess, variance=variance),
        method=PMethod.EXACT if exact else PMethod.NORMAL,
    )


def exact_drop_p(baseline: CaseCounts, current: CaseCounts) -> float:
    """Return the exact one-sided p-value of `cmh_test`, whatever the size.

    P(sum of current passes <= observed), each case's current passes hypergeometric given its margins.
    Cases with equal margins are gathered and their distribution raised to a power by squaring.
    Range: [1e-90, 1]. Source: as `cmh_test`.

    >>> exact_drop_p(CaseCounts.of(n=1, c=[1, 1, 1]), CaseCounts.of(n=1, c=[0, 0, 0]))
    0.125
    """
    rows = distinct(baseline.n, current.n, baseline.c + current.c)
    laws = [
        _power(_Law(start=max(0, passed - n0), chances=hypergeometric(n0=n0, n1=n1, passed=passed)), times)
        for (n0, n1, passed), times in zip(rows.values.tolist(), rows.times.tolist(), strict=True)
    ]
    law = _sum_of_all(laws)
    reached = max(0, int(current.c.sum()) - law.start + 1)
    return min(1.0, max(SMALLEST_P, float(law.chances[:reached].sum())))


def corrected_drop_p(*, excess: float, variance: float) -> float:
    """Return the one-sided p-value of a drop by the normal approximation with continuity correction.

    P(Z <= (T + 1/2) / sqrt(V)). Range: variance > 0; p in [0, 1]. Within 0.002 of the exact value for
    164 cases. Source: Mantel and Haenszel 1959.

    >>> round(corrected_drop_p(excess=-2.0, variance=4 / 3), 4)
    0.097
    """
    return normal_below((excess + 0.5) / sqrt(variance))


def mcnemar_p(*, losses: int, wins: int) -> float:
    """Return the exact one-sided p-value of a drop from pairs of one sample each.

    P(X >= losses), X binomial(losses + wins, 1/2); equals `cmh_test` at n = 1. A loss is a pass that
    became a failure. Range: losses, wins >= 0; p in (0, 1].
    Source: McNemar 1947, in its exact (sign test) form.

    >>> mcnemar_p(losses=5, wins=0)
    0.03125
    """
    if losses < 0 or wins < 0:
        raise DomainError(f"losses and wins are not negative, got {losses} and {wins}")
    return coin_at_most(wins, losses + wins)


def stratified_z(baseline: CaseSums, current: CaseSums) -> float | None:
    """Return the stratified permutation z for scores; negative means a drop, None that nothing varied.

    sum of d_i / sqrt(sum of s_i² (1/n0 + 1/n1)), d_i the difference of case means and s_i² the variance
    (n - 1) of both runs' scores together. For 0/1 scores with the same n in every case it is the CMH z.
    Range: any real. Source: Pitman 1937 (permutation); needs only (n, sum, sum of squares) per run.

    >>> before, after = CaseCounts.of(n=5, c=[5, 4, 2, 5]), CaseCounts.of(n=5, c=[3, 4, 0, 5])
    >>> round(stratified_z(before.sums, after.sums), 4)
    -1.7321
    """
    variance = float(permutation_variances(baseline, current).sum())
    if variance == 0:
        return None
    return float((current.means - baseline.means).sum()) / sqrt(variance)


def permutation_variances(baseline: CaseSums, current: CaseSums) -> Floats:
    """Return each case's variance of the difference of means if its samples were dealt out again.

    s_i² (1/n0 + 1/n1), s_i² the variance (n - 1) of both runs' scores together.
    Range: [0, 1]. Source: as `stratified_z`.

    >>> one = CaseCounts.of(n=1, c=[1, 1])
    >>> permutation_variances(one.sums, CaseCounts.of(n=1, c=[0, 1]).sums).tolist()
    [1.0, 0.0]
    """
    check_paired(baseline, current)
    n = baseline.n + current.n
    total = baseline.total + current.total
    total_sq = baseline.total_sq + current.total_sq
    squares = total_sq - total**2 / n
    squares = np.where(squares <= NOISE * total_sq, 0.0, squares)
    return np.asarray(squares / (n - 1) * (1 / baseline.n + 1 / current.n), dtype=np.float64)


def odds_ratio(baseline: CaseCounts, current: CaseCounts) -> float | None:
    """Return the common odds ratio of passing, current against baseline; None without a finite value.

    sum(c1 (n0 - c0) / N) / sum(c0 (n1 - c1) / N). Range: [0, ∞); 1 means no change, below 1 a drop.
    Source: Mantel and Haenszel 1959.

    >>> odds_ratio(CaseCounts.of(n=4, c=[3, 2]), CaseCounts.of(n=4, c=[2, 1]))
    0.3333333333333333
    """
    check_paired(baseline, current)
    n = baseline.n + current.n
    gained = float((current.c * (baseline.n - baseline.c) / n).sum())
    lost = float((baseline.c * (current.n - current.c) / n).sum())
    return gained / lost if lost else None


@lru_cache(maxsize=4096)
def hypergeometric(*, n0: int, n1: int, passed: int) -> Floats:
    """Return the chances that 0, 1, ... above the fewest possible of `passed` passes fall to n1 samples.

    C(n1, x) C(n0, passed - x) / C(n0 + n1, passed) for x = max(0, passed - n0) .. min(n1, passed).
    Range: each in [0, 1], sum 1. Source: Fisher 1935; by ratios of neighbours, so no factorial overflows.

    >>> hypergeometric(n0=2, n1=2, passed=2).round(4).tolist()
    [0.1667, 0.6667, 0.1667]
    """
    x = np.arange(max(0, passed - n0), min(n1, passed), dtype=np.float64)
    ratios = (passed - x) * (n1 - x) / ((x + 1) * (n0 - passed + x + 1))
    logs = np.concatenate([np.zeros(1), np.cumsum(np.log(ratios))])
    weights = np.exp(logs - logs.max())
    chances: Floats = weights / weights.sum()
    chances.flags.writeable = False  # callers with the same margins share it
    return chances


def _excess_and_variance(baseline: CaseCounts, current: CaseCounts) -> tuple[float, float]:
    n = (baseline.n + current.n).astype(np.float64)
    passed = baseline.c + current.c
    excess = current.c - passed * current.n / n
    variance = passed * (n - passed) * baseline.n * current.n / (n**2 * (n - 1))
    return float(excess.sum()), float(variance.sum())


def _sum_of_all(laws: list[_Law]) -> _Law:
    """Add up independent numbers, shortest law first, so that few long convolutions are needed."""
    queue = [(len(law.chances), order, law) for order, law in enumerate(laws)]
    heapify(queue)
    order = len(queue)
    while len(queue) > 1:
        _, _, item = heappop(queue)
        _, _, other = heappop(queue)
        law = _sum(item, other)
        heappush(queue, (len(law.chances), order, law))
        order += 1
    return queue[0][2]


def _power(law: _Law, times: int) -> _Law:
    """Add up `times` independent numbers of the same law, by doubling."""
    result = law
    for digit in f"{times:b}"[1:]:
        result = _sum(result, result)
        if digit == "1":
            result = _sum(result, law)
    return result


def _sum(law: _Law, other: _Law) -> _Law:
    """Add two independent numbers, cutting off tails too light to matter from a long law."""
    chances = np.convolve(law.chances, other.chances)
    start = law.start + other.start
    if len(chances) <= CUT_WIDTH:
        return _Law(start=start, chances=chances)
    kept = np.flatnonzero(chances > CUT_MASS)
    return _Law(start=start + int(kept[0]), chances=chances[kept[0] : kept[-1] + 1])
