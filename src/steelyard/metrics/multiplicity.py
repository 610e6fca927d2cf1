"""Test single cases for a drop, and allow for testing many of them at once.

Tarone's correction serves the gate, Holm's the comparison of models, Benjamini-Hochberg's the list of
cases to look at. All cases together are tested in `metrics/cmh.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, Floats, check_paired, distinct
from steelyard.metrics.cmh import hypergeometric

FALSE_SHARE = 0.05  # of the cases named as standing out, at most this share is expected to be noise
TIE = 1 + 1e-9  # exact p-values such as 1/20 meet alpha = 0.05; rounding must not part them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseTests:
    """For each case: its one-sided p-value, and the smallest one its number of passes allows at all."""

    p: Floats
    smallest: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejections:
    """Which cases dropped beyond noise (positions), and the p-value that was low enough for it."""

    cases: tuple[int, ...]
    threshold: float
    tested: int


def fisher_drop_p(*, n0: int, c0: int, n1: int, c1: int) -> float:
    """Return the one-sided p-value that one case's current passes c1 of n1 are a drop from c0 of n0.

    P(C1 <= c1) given c0 + c1 passes in all, C1 hypergeometric. Range: (0, 1]; a total break of n samples
    a run has 1 / C(2n, n). Source: Fisher 1935.

    >>> round(fisher_drop_p(n0=5, c0=5, n1=5, c1=0) * 252, 9)
    1.0
    """
    tests = fisher_tests(CaseCounts.of(n=[n0], c=[c0]), CaseCounts.of(n=[n1], c=[c1]))
    return float(tests.p[0])


def fisher_tests(baseline: CaseCounts, current: CaseCounts) -> CaseTests:
    """Test every case for a drop by Fisher's exact test, once for each distinct table.

    p as in `fisher_drop_p`; the smallest is that of c1 as low as the case's passes allow.
    Range: (0, 1]. Source: Fisher 1935; Tarone 1990 for the smallest attainable p-value.

    >>> tests = fisher_tests(CaseCounts.of(n=2, c=[2, 1]), CaseCounts.of(n=2, c=[0, 1]))
    >>> tests.p.round(3).tolist(), tests.smallest.round(3).tolist()
    ([0.167, 0.833], [0.167, 0.167])
    """
    check_paired(baseline, current)
    rows = distinct(baseline.n, baseline.c, current.n, current.c)
    pairs = np.array([_p_and_smallest(*row) for row in rows.values.tolist()]).reshape(-1, 2)
    return CaseTests(p=pairs[rows.where, 0], smallest=pairs[rows.where, 1])


def tarone(tests: CaseTests, *, alpha: float) -> Rejections:
    """Reject cases with the chance of any false rejection at most alpha, leaving out hopeless cases.

    K is the smallest whole number with at most K cases whose smallest attainable p is <= alpha / K;
    those cases are tested at alpha / K. Range: 0 < alpha < 1. Source: Tarone 1990.

    >>> baseline, current = CaseCounts.of(n=5, c=[5] + [0] * 99), CaseCounts.of(n=5, c=[0] * 100)
    >>> tarone(fisher_tests(baseline, current), alpha=0.05)
    Rejections(cases=(0,), threshold=0.05, tested=1)
    """
    _check_alpha(alpha)
    attainable = np.sort(tests.smallest)
    k = 1
    while np.searchsorted(attainable, alpha / k * TIE, side="right") > k:
        k += 1
    testable = tests.smallest <= alpha / k * TIE
    low = np.flatnonzero(testable & (tests.p <= alpha / k * TIE))
    return Rejections(cases=tuple(low.tolist()), threshold=alpha / k, tested=int(testable.sum()))


def standing_out(tests: CaseTests) -> tuple[int, ...]:
    """Return the cases whose drop noise does not explain, for people to look at, in ascending order.

    Benjamini-Hochberg at 5 % over the cases that could show anything, and whatever Tarone's correction at
    half of that finds: what a comparison names, and what keeps a gate from passing.
    Range: positions. Source: `benjamini_hochberg`, `tarone`.

    >>> standing_out(fisher_tests(CaseCounts.of(n=10, c=[10, 9]), CaseCounts.of(n=10, c=[0, 9])))
    (0,)
    """
    testable = np.flatnonzero(tests.smallest <= FALSE_SHARE * TIE)
    adjusted = benjamini_hochberg(tests.p[testable])
    listed = testable[adjusted <= FALSE_SHARE * TIE].tolist()
    return tuple(sorted({*listed, *tarone(tests, alpha=FALSE_SHARE / 2).cases}))


def holm(p: Sequence[float] | Floats) -> Floats:
    """Return p-values adjusted so that rejecting those <= alpha keeps any false rejection <= alpha.

    Ascending: max over j <= i of (m - j + 1) p_(j), at most 1. Range: [0, 1]. Source: Holm 1979.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = _p_values(p)
    order = np.argsort(values)
    scaled = values[order] * np.arange(len(values), 0, -1)
    return _in_old_order(np.maximum.accumulate(scaled), order)


def benjamini_hochberg(p: Sequence[float] | Floats) -> Floats:
    """Return p-values adjusted so that of those <= q at most a share q is expected to be false.

    Ascending: min over j >= i of m p_(j) / j, at most 1. Range: [0, 1].
    Source: Benjamini and Hochberg 1995. For an exploratory list, on the testable cases only.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    values = _p_values(p)
    order = np.argsort(values)
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    return _in_old_order(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _p_and_smallest(n0: int, c0: int, n1: int, c1: int) -> tuple[float, float]:
    passed = c0 + c1
    chances = hypergeometric(n0=n0, n1=n1, passed=passed)
    below = c1 - max(0, passed - n0)
    return min(1.0, float(chances[: below + 1].sum())), float(chances[0])


def _p_values(p: Sequence[float] | Floats) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    if np.any((values < 0) | (values > 1)):
        raise DomainError("p-values lie between 0 and 1")
    return values


def _in_old_order(adjusted: Floats, order: np.typing.NDArray[np.intp]) -> Floats:
    result = np.empty_like(adjusted)
    result[order] = np.minimum(adjusted, 1.0)
    return result


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise DomainError(f"alpha lies between 0 and 1, got {alpha}")
