"""Estimate pass@k and its relatives from counts: n samples of a case, c of them passing.

Pure arithmetic on integers; which samples pass, and which count at all, is decided elsewhere.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import partial
from itertools import repeat
from math import ceil, comb, exp, expm1, fsum, log, log1p
from typing import TypeAlias

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact_share
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.units import Number

Estimator: TypeAlias = Callable[[int, int, int], float]  # of n, c, k inside the domain

# C(n-c, k) / C(n, k) is at most exp(-c*k/n), and so needs no work when c*k is many times n.
CERTAIN = 38  # exp(-38) < 2**-54: one minus it is 1.0, correctly rounded
VANISHED = 746  # exp(-746) < 2**-1075: below half the smallest float, so 0.0, correctly rounded

# Exact integers up to this many factors (about 0.1 s); reached only from n = 2.6 million on.
EXACT_FACTORS = 10_000


def pass_at_k(*, n: int, c: int, k: int) -> float:
    """Return the chance that k of n samples, drawn without replacement, hold at least one of the c passing.

    1 - C(n-c, k) / C(n, k), unbiased; range [0, 1]; equals c/n for k = 1, bit for bit.
    Source: Chen et al. 2021 (arXiv:2107.03374); forgetest scoring page (seed 000),
    Terraform repair pass@k page (seed 003).
    Correctly rounded while min(c, k) <= 10,000; beyond that within 1 ulp or so.

    >>> pass_at_k(n=10, c=3, k=1), pass_at_k(n=4, c=1, k=2), pass_at_k(n=10, c=3, k=5)
    (0.3, 0.5, 0.9166666666666666)
    """
    _check_sample_sizes(n, c, k)
    return _pass_at_k(n, c, k)


def pass_hat_k(*, n: int, c: int, k: int) -> float:
    """Return the chance that k of n samples, drawn without replacement, all pass (pass^k).

    C(c, k) / C(n, k), unbiased for p**k; range [0, 1]; equals 1 - pass@k of the failing samples.
    Source: tau-bench, Yao et al. 2024 (arXiv:2406.12045).

    >>> pass_hat_k(n=5, c=3, k=2)
    0.3
    """
    _check_sample_sizes(n, c, k)
    return _pass_hat_k(n, c, k)


def log_fail(*, n: int, c: int, k: int) -> float | None:
    """Return the logarithm of 1 - pass@k, or None when pass@k is exactly 1.

    ln(C(n-c, k) / C(n, k)); range (-∞, 0]. It ranks near-perfect models, where pass@k itself rounds to 1.
    Source: Chen et al. 2021 (arXiv:2107.03374), in log-space as the forgetest scoring page (seed 000) asks.

    >>> log_fail(n=200, c=100, k=100)
    -135.7532360812785
    >>> log_fail(n=2, c=1, k=2) is None
    True
    """
    _check_sample_sizes(n, c, k)
    few, many = sorted((c, k))
    return None if few + many > n else _log_miss(n, few, many)


def g_pass_at_k(*, n: int, c: int, k: int, tau: Number) -> float:
    """Return the chance that at least the share tau of k drawn samples pass (G-Pass@k).

    P(Hypergeometric(n, c, k) >= max(1, ceil(tau * k))), the ceiling taken on exact decimals; range [0, 1].
    tau = 0 gives pass@k and tau = 1 gives pass^k.
    Source: Liu et al. 2024 (arXiv:2412.13147).

    >>> g_pass_at_k(n=10, c=5, k=5, tau=0.5)
    0.5
    """
    _check_sample_sizes(n, c, k)
    return _g_pass_at_k(n, c, k, need=_passes_needed(k, tau))


def mg_pass_at_k(*, n: int, c: int, k: int) -> float:
    """Return G-Pass@k averaged over the thresholds above one half (mG-Pass@k).

    2/k * sum of G-Pass@k at tau = i/k for i = ceil(k/2)+1 .. k; range [0, 1], and [0, 1 - 1/k] for odd k.
    Source: Liu et al. 2024 (arXiv:2412.13147), as in open-compass/GPassK.

    >>> mg_pass_at_k(n=16, c=12, k=8)
    0.5
    """
    _check_sample_sizes(n, c, k)
    return _mg_pass_at_k(n, c, k)


def pass_at_k_variance(*, n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of the sampling variance of one case's pass@k; needs n >= 2k.

    u_k**2 - u_2k with u_j = C(n-c, j) / C(n, j); for k = 1 this is p(1-p)/(n-1).
    Range [-1, 1]: it can be negative for k > 1, so sum over cases before clipping.
    Source: the U-statistic identity E[u_2k] = (1-p)**2k, Hoeffding 1948.

    >>> pass_at_k_variance(n=10, c=5, k=1), pass_at_k_variance(n=10, c=3, k=2)
    (0.027777777777777776, 0.051111111111111114)
    """
    _check_sample_sizes(n, c, k)
    if n < 2 * k:
        raise DomainError(f"the variance of pass@{k} needs at least {2 * k} samples, got n = {n}")
    once, twice = _miss(n, c, k), _miss(n, c, 2 * k)
    return float(once * once - twice)


def estimate_pass_at_k(*, n: int, c: int, k: int) -> Estimate:
    """Return pass@k of one case, or why there is none (no samples, or fewer than k).

    1 - C(n-c, k) / C(n, k); range [0, 1]. Source: Chen et al. 2021 (arXiv:2107.03374).

    >>> estimate_pass_at_k(n=4, c=1, k=2).value
    0.5
    >>> estimate_pass_at_k(n=4, c=1, k=5).reason.value
    'k_exceeds_n'
    """
    return _estimate(_pass_at_k, n, c, k)


def estimate_pass_hat_k(*, n: int, c: int, k: int) -> Estimate:
    """Return pass^k of one case, or why there is none (no samples, or fewer than k).

    C(c, k) / C(n, k); range [0, 1]. Source: tau-bench, Yao et al. 2024 (arXiv:2406.12045).

    >>> estimate_pass_hat_k(n=4, c=3, k=2).value
    0.5
    """
    return _estimate(_pass_hat_k, n, c, k)


def mean_pass_at_k(counts: Collection[tuple[int, int]], *, k: int) -> Estimate:
    """Return the mean pass@k over cases, each given as (n, c), or why there is none.

    sum(pass@k of each case) / number of cases; range [0, 1]; the order of the cases does not matter.
    Undefined as soon as one case has fewer than k samples: a mean over the others is about other cases.
    Source: Terraform repair pass@k page (seed 003), 1 - E[C(n-c, k) / C(n, k)].

    >>> mean_pass_at_k([(4, 1), (4, 0)], k=2).value
    0.25
    >>> mean_pass_at_k([(4, 1), (1, 0)], k=2).detail
    '1 of 2 cases has fewer than 2 samples'
    """
    return _mean(_pass_at_k, counts, k)


def mean_pass_hat_k(counts: Collection[tuple[int, int]], *, k: int) -> Estimate:
    """Return the mean pass^k over cases, each given as (n, c), or why there is none.

    sum(pass^k of each case) / number of cases; range [0, 1]; otherwise as `mean_pass_at_k`.
    Source: tau-bench, Yao et al. 2024 (arXiv:2406.12045).

    >>> mean_pass_hat_k([(4, 3), (4, 4)], k=2).value
    0.75
    """
    return _mean(_pass_hat_k, counts, k)


def mean_g_pass_at_k(counts: Collection[tuple[int, int]], *, k: int, tau: Number) -> Estimate:
    """Return the mean G-Pass@k over cases, each given as (n, c), or why there is none.

    sum(G-Pass@k of each case) / number of cases; range [0, 1]; otherwise as `mean_pass_at_k`.
    Source: Liu et al. 2024 (arXiv:2412.13147).

    >>> mean_g_pass_at_k([(10, 5), (10, 10)], k=5, tau=0.5).value
    0.75
    """
    return _mean(partial(_g_pass_at_k, need=_passes_needed(k, tau)), counts, k)


def mean_mg_pass_at_k(counts: Collection[tuple[int, int]], *, k: int) -> Estimate:
    """Return the mean mG-Pass@k over cases, each given as (n, c), or why there is none.

    sum(mG-Pass@k of each case) / number of cases; range [0, 1], for k >= 2: at k = 1 no threshold lies
    above one half. Otherwise as `mean_pass_at_k`. Source: Liu et al. 2024 (arXiv:2412.13147).

    >>> mean_mg_pass_at_k([(16, 12), (16, 16)], k=8).value
    0.75
    """
    if k == 1:
        raise DomainError("mG-Pass@k needs a k of at least 2, got 1")
    return _mean(_mg_pass_at_k, counts, k)


def _pass_at_k(n: int, c: int, k: int) -> float:
    few, many = sorted((c, k))
    if few * many >= CERTAIN * n:
        return 1.0
    if few > EXACT_FACTORS:
        return -expm1(_log_miss(n, few, many))
    ways = comb(n, few)
    return (ways - comb(n - many, few)) / ways  # int / int is correctly rounded


def _pass_hat_k(n: int, c: int, k: int) -> float:
    few, many = sorted((n - c, k))
    if few * many >= VANISHED * n:
        return 0.0
    if few > EXACT_FACTORS:
        return exp(_log_miss(n, few, many))
    return comb(n - many, few) / comb(n, few)


def _passes_needed(k: int, tau: Number) -> int:
    """Return how many of k samples are at least the share tau of them, and at least one."""
    return max(1, ceil(exact_share(tau, "tau") * k))


def _g_pass_at_k(n: int, c: int, k: int, *, need: int) -> float:
    return sum(ways for passing, ways in _draws(n, c, k) if passing >= need) / comb(n, k)


def _mg_pass_at_k(n: int, c: int, k: int) -> float:
    half = ceil(Fraction(k, 2))
    # A draw with j passing samples meets the thresholds half+1 .. j, which are j - half of them.
    met = sum((passing - half) * ways for passing, ways in _draws(n, c, k) if passing > half)
    return 2 * met / (k * comb(n, k))


def _miss(n: int, c: int, k: int) -> Fraction:
    """Return C(n-c, k) / C(n, k), the chance that k draws all miss c of n."""
    few, many = sorted((c, k))
    return Fraction(comb(n - many, few), comb(n, few))


def _log_miss(n: int, few: int, many: int) -> float:
    """Return ln(C(n-many, few) / C(n, few)), the chance that `few` draws all miss `many` of n."""
    return fsum(_log_one_minus(many, n - drawn) for drawn in range(few))


def _log_one_minus(part: int, whole: int) -> float:
    # Each form keeps all digits on its side: 1 - part/whole cancels when part is nearly the whole.
    return log1p(-part / whole) if 2 * part < whole else log((whole - part) / whole)


def _draws(n: int, c: int, k: int) -> Iterator[tuple[int, int]]:
    """Yield how many samples of a draw of k pass, and in how many ways that happens."""
    fewest, failed = max(0, k - (n - c)), n - c
    ways = comb(c, fewest) * comb(failed, k - fewest)
    for passing in range(fewest, min(c, k) + 1):
        yield passing, ways
        # One passing sample more and one failed one less; the division leaves no rest.
        ways = ways * (c - passing) * (k - passing) // ((passing + 1) * (failed - k + passing + 1))


def _estimate(estimator: Estimator, n: int, c: int, k: int) -> Estimate:
    _check_k(k)
    _check_counts(n, c)
    if n == 0:
        return Estimate.undefined(Reason.NO_SAMPLES)
    if k > n:
        return Estimate.undefined(Reason.K_EXCEEDS_N, f"k = {k} exceeds n = {n}")
    return Estimate.of(estimator(n, c, k))


def _mean(estimator: Estimator, counts: Collection[tuple[int, int]], k: int) -> Estimate:
    _check_k(k)
    cases = Counter(counts)
    for n, c in cases:
        _check_counts(n, c)
    if not cases:
        return Estimate.undefined(Reason.NO_CASES)
    short = sum(times for (n, _), times in cases.items() if n < k)
    if short:
        return Estimate.undefined(Reason.K_EXCEEDS_N, _too_few(short, cases.total(), k))
    if k == 1:
        # Every estimator is c/n then, and the mean of shares can be had exactly.
        return Estimate.of(float(_mean_share(cases)))
    values = (value for (n, c), times in cases.items() for value in repeat(estimator(n, c, k), times))
    return Estimate.of(fsum(values) / cases.total())


def _mean_share(cases: Counter[tuple[int, int]]) -> Fraction:
    """Return the mean of c/n, of which there are few different ones."""
    passed: Counter[int] = Counter()
    for (n, c), times in cases.items():
        passed[n] += c * times
    return sum((Fraction(c, n) for n, c in passed.items()), Fraction(0)) / cases.total()


def _too_few(short: int, total: int, k: int) -> str:
    cases = "case" if total == 1 else "cases"
    have = "has" if short == 1 else "have"
    samples = "sample" if k == 1 else "samples"
    return f"{short} of {total} {cases} {have} fewer than {k} {samples}"


def _check_k(k: int) -> None:
    if k < 1:
        raise DomainError(f"k must be at least 1, got {k}")


def _check_counts(n: int, c: int) -> None:
    if not 0 <= c <= n:
        raise DomainError(f"the passing samples must number between 0 and n = {n}, got c = {c}")


def _check_sample_sizes(n: int, c: int, k: int) -> None:
    _check_k(k)
    _check_counts(n, c)
    if n == 0:
        raise DomainError("n = 0: without samples there is nothing to estimate from")
    if k > n:
        raise DomainError(f"k = {k} exceeds n = {n}: no unbiased estimate exists with fewer than k samples")
