"""Draw case difficulties whose true scores are known.

A population is a distribution of pass probabilities; four of them are deliberately not Beta distributions,
because real suites are full of cases that always or never pass.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.hermite import hermgauss
from numpy.typing import NDArray
from scipy.special import betaln, expit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """How pass probabilities spread over cases, and the mean chance that k samples all fail."""

    name: str
    draw: Callable[[np.random.Generator, Shape], Floats]
    all_fail: Callable[[int], float]

    def pass_at_k(self, k: int) -> float:
        """Return the true mean pass@k."""
        return 1 - self.all_fail(k)


def beta(name: str, a: float, b: float) -> Population:
    """Return the population whose pass probabilities are Beta(a, b)."""
    return Population(
        name=f"{name}: Beta({a:g}, {b:g})",
        draw=lambda rng, shape: rng.beta(a, b, shape),
        all_fail=lambda k: float(np.exp(betaln(a, b + k) - betaln(a, b))),
    )


def mixture(name: str, *, always: float, never: float, low: float, high: float) -> Population:
    """Return the population with shares of sure passes and sure failures, the rest evenly in between."""

    def draw(rng: np.random.Generator, shape: Shape) -> Floats:
        kind, rest = rng.random(shape), rng.uniform(low, high, shape)
        return np.where(kind < always, 1.0, np.where(kind < always + never, 0.0, rest))

    def all_fail(k: int) -> float:
        flaky = ((1 - low) ** (k + 1) - (1 - high) ** (k + 1)) / ((k + 1) * (high - low))
        return never + (1 - always - never) * flaky

    return Population(name=name, draw=draw, all_fail=all_fail)


def logit_normal(name: str, *, mean: float, sd: float) -> Population:
    """Return the population whose log-odds are normal."""
    nodes, weights = hermgauss(150)

    def all_fail(k: int) -> float:
        return float(weights @ expit(-(mean + sd * np.sqrt(2) * nodes)) ** k / np.sqrt(np.pi))

    return Population(
        name=name, draw=lambda rng, shape: expit(rng.normal(mean, sd, shape)), all_fail=all_fail
    )


U_SHAPED = beta("U-shaped, mean .67", 0.5, 0.25)
MOSTLY_DETERMINISTIC = mixture("55 % always, 10 % never, rest flaky", always=0.55, never=0.1, low=0, high=1)
RELIABLE = beta("99 % reliable", 50, 0.5)

POPULATIONS = (
    beta("U-shaped, mean .50", 0.5, 0.5),
    U_SHAPED,
    beta("U-shaped, extreme", 0.3, 0.15),
    beta("near the ceiling", 1, 0.08),
    beta("hard", 0.15, 1.2),
    MOSTLY_DETERMINISTIC,
    mixture("85 % always, rest .2 to .8", always=0.85, never=0, low=0.2, high=0.8),
    mixture("70 % never, rest up to .4", always=0, never=0.7, low=0, high=0.4),
    logit_normal("logit-normal(1, 3)", mean=1, sd=3),
)
GATE_POPULATIONS = (U_SHAPED, MOSTLY_DETERMINISTIC, RELIABLE)
