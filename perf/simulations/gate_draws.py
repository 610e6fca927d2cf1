"""Draw pairs of runs with a known change between them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from perf.simulations.populations import Floats, Ints, Population

CASES = 164
FRESH = 10  # samples that the second stage of a gate may ask for
SOUND = 0.9  # a case that passes this often can break

Change = Callable[[Floats, np.random.Generator], Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """Many pairs of runs (rows) of as many cases (columns): passes before and after.

    `first` are the passes among the first sample of each case, `fresh` those of more samples drawn later.
    """

    n: int
    before: Ints
    after: Ints
    first_before: Ints
    first_after: Ints
    fresh_before: Ints
    fresh_after: Ints

    def __len__(self) -> int:
        return len(self.before)


def points_down(drop: float) -> Change:
    """Return the change that lowers the mean by so much, each case in proportion."""
    return lambda p, _: np.asarray(p * (1 - drop / p.mean(axis=1, keepdims=True)), dtype=np.float64)


def broken(cases: int) -> Change:
    """Return the change that makes so many sound cases fail always."""

    def change(p: Floats, rng: np.random.Generator) -> Floats:
        order = np.argsort(np.where(p >= SOUND, rng.random(p.shape), 2.0), axis=1)
        q = p.copy()
        np.put_along_axis(q, order[:, :cases], 0.0, axis=1)
        return q

    return change


SCENARIOS: dict[str, Change] = {
    "no change": lambda p, _: p,
    "-5 points": points_down(0.05),
    "-2 points": points_down(0.02),
    "1 broken": broken(1),
    "3 broken": broken(3),
    "8 broken": broken(8),
}


def compare(
    population: Population, change: Change, *, n: int, runs: int, rng: np.random.Generator
) -> Comparisons:
    """Draw pairs of runs of the same cases, before and after a change."""
    p = population.draw(rng, (runs, CASES))
    q = change(p, rng)
    first_before, first_after = rng.binomial(1, p), rng.binomial(1, q)
    return Comparisons(
        n=n,
        before=first_before + rng.binomial(n - 1, p),
        after=first_after + rng.binomial(n - 1, q),
        first_before=first_before,
        first_after=first_after,
        fresh_before=rng.binomial(FRESH, p),
        fresh_after=rng.binomial(FRESH, q),
    )
