"""Resample cases with weights that depend on nothing but the case's name.

Every model is weighed by the same draw of cases, so comparisons stay paired, and any engine that can hash
gets the same weights, whatever the order or the partitioning. Ranks, the front of cost and score, and the
odds of a letter grade are read from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from hashlib import blake2b
from math import factorial

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats, Ints
from steelyard.metrics.quantiles import two_sided

Weights = NDArray[np.int64]
Counts = NDArray[np.uint8]

REPLICATES = 1000
CHUNK = 4096  # cases weighed at a time, to bound the memory
BLOCK = 64  # cases mixed at a time, so few that the numbers stay in the processor's cache
KEPT_CHUNKS = 32  # of 4 MB at most: all subjects of a report are weighed by the same cases
STEP = np.uint64(0x9E3779B97F4A7C15)
DOMINANCE = 0.95  # a model beaten on both axes in this share of the replicates is called dominated


@dataclass(frozen=True, slots=True, kw_only=True)
class RankInterval:
    """A model's rank, 1 the best, and the ranks it plausibly has."""

    rank: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMembership:
    """How often no other model is both cheaper and better, and whether one nearly always is."""

    on_front: float
    is_dominated: bool


def poisson_weights(case_ids: Sequence[str], *, replicates: int = REPLICATES, seed: int = 0) -> Weights:
    """Return how often each replicate (column) draws each case (row): independent Poisson(1) counts.

    blake2b of the seed and the case id gives a 64-bit key; the key plus a multiple of the golden ratio for
    each replicate, mixed by splitmix64, gives a uniform number, turned into a count by inverting the
    Poisson distribution on integers. Range: {0, 1, ...}, mean 1, variance 1.
    Source: Hanley and MacGibbon 2006 (Poisson bootstrap); Steele, Lea and Flood 2014 (splitmix64).

    >>> poisson_weights(["a", "b"], replicates=8).tolist()
    [[0, 0, 1, 4, 0, 0, 0, 1], [0, 3, 2, 1, 0, 1, 2, 1]]
    """
    return _counts(tuple(case_ids), replicates, seed).astype(np.int64)


def bootstrap_means(
    values: Floats, case_ids: Sequence[str], *, replicates: int = REPLICATES, seed: int = 0
) -> Floats:
    """Return the mean over cases of every row of `values` in every replicate, all rows drawn alike.

    sum(w x) / sum(w) with `poisson_weights`; the plain mean in the rare replicate that draws nothing.
    `values` has a row per model and a column per case. Range: that of the values.
    Source: as `poisson_weights`.

    >>> means = bootstrap_means(np.array([[0.0, 1.0, 1.0, 1.0]]), ["a", "b", "c", "d"], replicates=500)
    >>> means.shape, bool(abs(means.mean() - 0.75) < 0.05)
    ((1, 500), True)
    """
    rows, cases = values.shape
    if cases != len(case_ids) or cases == 0:
        raise DomainError(f"one column per case, got {cases} columns and {len(case_ids)} cases")
    totals, drawn = np.zeros((rows, replicates)), np.zeros(replicates)
    for start in range(0, cases, CHUNK):
        weights, sizes = _cached_weights(tuple(case_ids[start : start + CHUNK]), replicates, seed)
        totals += values[:, start : start + CHUNK] @ weights
        drawn += sizes
    means = totals / np.maximum(drawn, 1)
    return np.where(drawn > 0, means, values.mean(axis=1, keepdims=True))


def rank_intervals(means: Floats, replicates: Floats, *, level: float = 0.95) -> list[RankInterval]:
    """Return each model's rank by its mean, and the range of its ranks over the replicates.

    Percentiles of the rank; equal means share ranks, the lowest counting for `low` and the highest for
    `high`. Range: 1 .. number of models. Source: percentile bootstrap, Efron 1979, paired by case.

    >>> rank_intervals(np.array([0.5, 0.9]), np.array([[0.5, 0.6], [0.9, 0.8]]))
    [RankInterval(rank=2, low=2, high=2), RankInterval(rank=1, low=1, high=1)]
    """
    tail = 1 - two_sided(level)
    best, worst = _ranks(replicates)
    low = np.quantile(best, tail, axis=1, method="lower")
    high = np.quantile(worst, 1 - tail, axis=1, method="higher")
    ranks, _ = _ranks(means[:, None])
    return [
        RankInterval(rank=int(rank), low=int(first), high=int(last))
        for rank, first, last in zip(ranks[:, 0], low, high, strict=True)
    ]


def front_membership(costs: Floats, scores: Floats) -> list[FrontMembership]:
    """Return how often each model is on the front of cost and score, from its bootstrapped means.

    A model is dominated in a replicate when another costs no more, scores no less, and differs in one.
    Rows are models, columns the same replicates in both. Range: on_front in [0, 1].
    Source: paired case bootstrap of the Pareto front.

    >>> costs, scores = np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([[0.5, 0.9], [0.8, 0.8]])
    >>> [member.on_front for member in front_membership(costs, scores)]
    [1.0, 0.5]
    """
    if costs.shape != scores.shape:
        raise DomainError(f"costs and scores share their replicates, got {costs.shape} and {scores.shape}")
    members = []
    for cost, score in zip(costs, scores, strict=True):
        beaten = (costs <= cost) & (scores >= score) & ((costs < cost) | (scores > score))
        members.append(
            FrontMembership(
                on_front=float(1 - beaten.any(axis=0).mean()),
                is_dominated=bool(beaten.mean(axis=1).max() >= DOMINANCE),
            )
        )
    return members


def _poisson_cuts() -> NDArray[np.uint64]:
    """Return P(count <= k) for k = 0, 1, ... in units of 2**-64, rounded down, while below 1."""
    with localcontext(prec=50):
        share, cuts = Decimal(0), []
        for k in range(21):  # 1/e/21! is less than 2**-64
            share += Decimal(-1).exp() / factorial(k)
            cuts.append(int(share * 2**64))
    return np.array(cuts, dtype=np.uint64)


POISSON_CUTS = _poisson_cuts()


def _keys(case_ids: tuple[str, ...], seed: int) -> NDArray[np.uint64]:
    salt = seed.to_bytes(8, "little")
    digests = [blake2b(case_id.encode(), digest_size=8, salt=salt).digest() for case_id in case_ids]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _counts(case_ids: tuple[str, ...], replicates: int, seed: int) -> Counts:
    keys = _keys(case_ids, seed)
    steps = np.arange(1, replicates + 1, dtype=np.uint64) * STEP
    counts = np.empty((len(keys), replicates), dtype=np.uint8)
    for start in range(0, len(keys), BLOCK):
        block = slice(start, start + BLOCK)
        counts[block] = poisson_counts(_splitmix64(keys[block, None] + steps))
    return counts


@lru_cache(maxsize=KEPT_CHUNKS)
def _cached_weights(case_ids: tuple[str, ...], replicates: int, seed: int) -> tuple[Counts, Ints]:
    """Return the weights of some cases, and how many of them each replicate draws."""
    counts = _counts(case_ids, replicates, seed)
    return counts, counts.sum(axis=0, dtype=np.int64)


def poisson_counts(uniform: NDArray[np.uint64]) -> Counts:
    """Return the Poisson(1) count of each uniform number of 64 bits.

    How many of P(count <= k), k = 0, 1, ..., the number reaches: its first 16 bits decide all but one in
    three thousand. Range: 0 .. 21. Source: inversion of the distribution function, Devroye 1986, chapter 2.

    >>> poisson_counts(np.array([0, 2**63, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 1, 21]
    """
    counts = COUNT_OF_TOP.take((uniform >> LOWER_BITS).astype(np.int64))
    unsure = np.nonzero(counts == UNSURE)
    counts[unsure] = np.searchsorted(POISSON_CUTS, uniform[unsure], side="right")
    return counts


def _count_of_top() -> Counts:
    """Return the count of all numbers with the same first 16 bits, or `UNSURE` where they differ."""
    lowest = np.arange(2**16, dtype=np.uint64) << LOWER_BITS
    highest = lowest | np.uint64(2**48 - 1)
    low, high = (np.searchsorted(POISSON_CUTS, ends, side="right") for ends in (lowest, highest))
    return np.where(low == high, low, UNSURE).astype(np.uint8)


LOWER_BITS = np.uint64(48)
UNSURE = 255
COUNT_OF_TOP = _count_of_top()


def _splitmix64(counter: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix numbers in place."""
    counter ^= counter >> np.uint64(30)
    counter *= np.uint64(0xBF58476D1CE4E5B9)
    counter ^= counter >> np.uint64(27)
    counter *= np.uint64(0x94D049BB133111EB)
    counter ^= counter >> np.uint64(31)
    return counter


def _ranks(means: Floats) -> tuple[Ints, Ints]:
    """Return, for each model and replicate, the best and the worst rank its mean entitles it to."""
    better = (means[None, :, :] > means[:, None, :]).sum(axis=1)
    no_worse = (means[None, :, :] >= means[:, None, :]).sum(axis=1)
    return better + 1, no_worse
