"""Compute the intervals that others use, on many drawn runs at once.

Only for comparison; none of these is used by Steelyard, for the reasons the tables show.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, ndtr, ndtri

from perf.simulations.populations import Floats, Ints

Z = float(ndtri(0.975))
RESAMPLES = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """Many runs (rows) of as many cases (columns): passes, and each case's pass@k."""

    passes: Ints
    values: Floats
    n: int
    k: int

    @property
    def cases(self) -> int:
        """Cases in each run."""
        return int(self.values.shape[1])

    def first(self, rows: int) -> "Draw":
        """Return only the first runs."""
        return Draw(passes=self.passes[:rows], values=self.values[:rows], n=self.n, k=self.k)


Bounds = tuple[Floats, Floats]


def normal(draw: Draw) -> Bounds:
    """Return mean ± 1.96 standard errors over cases (central limit theorem; Miller 2024)."""
    mean = draw.values.mean(axis=1)
    half = Z * draw.values.std(axis=1, ddof=1) / np.sqrt(draw.cases)
    return mean - half, mean + half


def pooled_wilson(draw: Draw) -> Bounds:
    """Return Wilson's interval for passes among all samples, as if they were independent."""
    trials = draw.cases * draw.n
    share = draw.passes.sum(axis=1) / trials
    scale = 1 + Z**2 / trials
    half = Z * np.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2)) / scale
    centre = (share + Z**2 / (2 * trials)) / scale
    return centre - half, centre + half


def uniform_bayes(draw: Draw) -> Bounds:
    """Return the normal credible interval with an independent uniform prior for every case (Bayes@N)."""
    a, b = draw.passes + 1.0, draw.n - draw.passes + 1.0
    once = np.exp(betaln(a, b + draw.k) - betaln(a, b))
    twice = np.exp(betaln(a, b + 2 * draw.k) - betaln(a, b))
    mean = 1 - once.mean(axis=1)
    half = Z * np.sqrt((twice - once**2).sum(axis=1)) / draw.cases
    return mean - half, mean + half


def bca(draw: Draw, rng: np.random.Generator) -> Bounds:
    """Return the bias-corrected and accelerated bootstrap over cases (Efron 1987)."""
    ends = np.array([_bca_of_run(values, rng) for values in draw.values])
    return ends[:, 0], ends[:, 1]


def _bca_of_run(values: Floats, rng: np.random.Generator) -> Floats:
    kinds, times = np.unique(values, return_counts=True)
    cases, mean = len(values), values.mean()
    means = rng.multinomial(cases, times / cases, size=RESAMPLES) @ kinds / cases
    middle = ((means < mean).mean() + (means <= mean).mean()) / 2
    bias = ndtri(np.clip(middle, 0.5 / RESAMPLES, 1 - 0.5 / RESAMPLES))
    deviation = kinds - mean
    spread = float(times @ deviation**2)
    acceleration = float(times @ deviation**3) / (6 * spread**1.5) if spread > 0 else 0.0
    reach = bias + np.array([-Z, Z])
    return np.asarray(np.quantile(means, ndtr(bias + reach / (1 - acceleration * reach))), dtype=np.float64)
