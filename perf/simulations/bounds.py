"""Measure how often a gate passes a run whose true drop is the margin: at most alpha, if passes are earned.

The drop is spread over all cases in proportion, or made of cases that break; both move the mean as far.
"""

from collections.abc import Callable
from itertools import product

import numpy as np

from perf.simulations.gate_draws import points_down
from perf.simulations.populations import GATE_POPULATIONS, Floats, Population
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.plausible import largest_drop

MARGIN = 0.05
ALPHA = 0.05
CASES = (30, 60, 164)
SAMPLES = ((1, 1), (3, 3), (5, 5), (5, 2), (10, 1))  # of each case, before and after
NOTE = (
    "Passes in % of comparisons whose true drop is the margin of 5 points, spread over all cases or made of "
    "cases that break, and where nothing changed. The bound alone decides here; a gate passes no more often."
)


def broken_by(drop: float) -> Callable[[Floats], Floats]:
    """Return the change that breaks the best cases, the last one in part, until the mean fell by so much."""

    def change(p: Floats) -> Floats:
        best = np.sort(p, axis=1)[:, ::-1]
        left = np.maximum(0.0, drop * p.shape[1] - (np.cumsum(best, axis=1) - best))
        return np.asarray(best - np.minimum(best, left), dtype=np.float64)

    return change


def bound_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure passes for every population, number of cases and of samples."""
    runs = 200 if quick else 4000
    rows = [
        bound_row(population, cases=cases, n=n, runs=runs, rng=rng)
        for population, cases, n in product(GATE_POPULATIONS, CASES, SAMPLES)
    ]
    return [Study(title="Bounds: passes at a drop of the margin", markdown=_markdown(rows), rows=rows)]


def bound_row(
    population: Population, *, cases: int, n: tuple[int, int], runs: int, rng: np.random.Generator
) -> Row:
    """Return the shares of passes for one population and size."""
    p = population.draw(rng, (runs, cases))
    best = np.sort(p, axis=1)[:, ::-1]
    return {
        "population": population.name,
        "cases": cases,
        "n": "{} and {}".format(*n),
        "spread": _passes(p, points_down(MARGIN)(p, rng), n, rng),
        "broken": _passes(best, broken_by(MARGIN)(p), n, rng),
        "none": _passes(p, p, n, rng),
    }


def _passes(before: Floats, after: Floats, n: tuple[int, int], rng: np.random.Generator) -> float:
    old, new = rng.binomial(n[0], np.clip(before, 0, 1)), rng.binomial(n[1], np.clip(after, 0, 1))
    found = [
        largest_drop(CaseCounts.of(n=n[0], c=a).sums, CaseCounts.of(n=n[1], c=b).sums, alpha=ALPHA) < MARGIN
        for a, b in zip(old, new, strict=True)
    ]
    return sum(found) / len(found)


def _markdown(rows: list[Row]) -> str:
    columns = ["population", "cases", "n", "spread %", "broken %", "no change %"]
    shares = ("spread", "broken", "none")
    lines = [
        [
            str(row["population"]),
            str(row["cases"]),
            str(row["n"]),
            *(percent(number(row, key)) for key in shares),
        ]
        for row in rows
    ]
    return f"{NOTE}\n\n{markdown_table(columns, lines)}"
