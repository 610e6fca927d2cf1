"""Hold what one run counted for each case, as arrays ready for arithmetic.

Row i of every array is the same case. Two runs are paired by the caller, row by row; a case without
samples has no row, and it is the caller who says how many were left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.errors import DomainError
from steelyard.metrics.pass_at_k import pass_at_k

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDING = 1e-9  # how far float noise may carry a value over the edge of its range


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSums:
    """How many values there are, their sum, and the sum of their squares; two of these add up.

    With integers or fractions in it, adding is exact and the order of the parts does not matter.
    """

    count: int
    total: float | Fraction
    total_sq: float | Fraction

    @classmethod
    def of(cls, values: Sequence[float] | Floats) -> "MeanSums":
        """Sum values up, rounded once, so that their order does not matter."""
        column = np.asarray(values, dtype=np.float64)
        return cls(count=len(column), total=fsum(column.tolist()), total_sq=fsum((column * column).tolist()))

    def __add__(self, other: "MeanSums") -> "MeanSums":
        return MeanSums(
            count=self.count + other.count,
            total=self.total + other.total,
            total_sq=self.total_sq + other.total_sq,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseSums:
    """For each case of one run: samples, sum of their scores, sum of the squares."""

    n: Ints
    total: Floats
    total_sq: Floats

    @classmethod
    def of(cls, *, n: ArrayLike, total: ArrayLike, total_sq: ArrayLike) -> "CaseSums":
        """Check and take in sums in score units, so that a perfect sample adds 1 to each sum."""
        samples = _whole_numbers(n)
        sums = np.asarray(total, dtype=np.float64)
        squares = np.asarray(total_sq, dtype=np.float64)
        if not samples.shape == sums.shape == squares.shape:
            raise DomainError(f"one row per case, got {samples.size}, {sums.size} and {squares.size} rows")
        if np.any(samples < 1):
            raise DomainError("a case without samples is no evidence; leave it out and say so")
        if np.any(sums < -ROUNDING) or np.any(sums > samples + ROUNDING):
            raise DomainError("scores lie between 0 and 1")
        return cls(n=samples, total=sums, total_sq=squares)

    def __len__(self) -> int:
        return len(self.n)

    @property
    def means(self) -> Floats:
        """The mean score of each case."""
        return self.total / self.n


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseCounts:
    """For each case of one run: samples, and how many of them passed."""

    n: Ints
    c: Ints

    @classmethod
    def of(cls, *, n: ArrayLike, c: ArrayLike) -> "CaseCounts":
        """Check and take in counts; a single `n` stands for every case."""
        passed = _whole_numbers(c)
        samples = _whole_numbers(n)
        if samples.ndim == 0:
            samples = np.full_like(passed, samples)
        if samples.shape != passed.shape:
            raise DomainError(f"one row per case, got {samples.size} and {passed.size} rows")
        if np.any(samples < 1):
            raise DomainError("a case without samples is no evidence; leave it out and say so")
        if np.any(passed < 0) or np.any(passed > samples):
            raise DomainError("passes lie between 0 and the number of samples")
        return cls(n=samples, c=passed)

    def __len__(self) -> int:
        return len(self.n)

    @property
    def rates(self) -> Floats:
        """The share of each case's samples that passed."""
        return self.c / self.n

    @property
    def sums(self) -> CaseSums:
        """The same counts as scores of 0 and 1."""
        passed = self.c.astype(np.float64)
        return CaseSums(n=self.n, total=passed, total_sq=passed)

    def take(self, rows: Sequence[int] | Ints) -> "CaseCounts":
        """Return only these rows."""
        chosen = np.asarray(rows, dtype=np.int64)
        return CaseCounts(n=self.n[chosen], c=self.c[chosen])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distinct:
    """The distinct rows in ascending order, which of them each case has, and how many cases have each."""

    values: Ints
    where: Ints
    times: Ints


def pass_at_k_of_cases(counts: CaseCounts, *, k: int) -> Floats:
    """Return each case's unbiased pass@k, one evaluation for each distinct (n, c).

    1 - C(n - c, k) / C(n, k): Chen et al. 2021 (arXiv:2107.03374). Needs k <= n for every case.

    >>> pass_at_k_of_cases(CaseCounts.of(n=[4, 4], c=[1, 4]), k=2).tolist()
    [0.5, 1.0]
    """
    rows = distinct(counts.n, counts.c)
    values = np.array([pass_at_k(n=n, c=c, k=k) for n, c in rows.values.tolist()], dtype=np.float64)
    return np.asarray(values[rows.where], dtype=np.float64)


def distinct(*columns: Ints) -> Distinct:
    """Find the rows that differ, so that a formula runs once for each of them instead of once a case.

    >>> rows = distinct(np.array([5, 5, 4]), np.array([1, 1, 2]))
    >>> rows.values.tolist(), rows.where.tolist(), rows.times.tolist()
    ([[4, 2], [5, 1]], [1, 1, 0], [1, 2])
    """
    table = np.stack(columns, axis=1)
    order = np.lexsort(columns[::-1])
    ordered = table[order]
    is_new = np.ones(len(table), dtype=bool)
    is_new[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    where = np.empty(len(table), dtype=np.int64)
    where[order] = np.cumsum(is_new) - 1
    return Distinct(values=ordered[is_new], where=where, times=np.bincount(where))


def check_paired(baseline: CaseCounts | CaseSums, current: CaseCounts | CaseSums) -> None:
    """Refuse two runs whose rows cannot be the same cases.

    The number of rows must agree; whether row i is the same case is the caller's word.

    >>> check_paired(CaseCounts.of(n=1, c=[1]), CaseCounts.of(n=5, c=[3]))
    """
    if len(baseline) != len(current):
        raise DomainError(f"paired runs share their cases, got {len(baseline)} and {len(current)} rows")


def _whole_numbers(values: ArrayLike) -> Ints:
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iu" and numbers.size:
        raise DomainError(f"counts are whole numbers, got {numbers.dtype}")
    return numbers.astype(np.int64)
