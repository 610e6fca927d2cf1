"""Measure the relatives of the default interval: the same cases again, differences, means of suites."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from perf.simulations.coverage import CASES, QUICK_CASES, QUICK_POPULATIONS, bounds_of, by_size, caught
from perf.simulations.populations import POPULATIONS, U_SHAPED
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts, MeanSums
from steelyard.metrics.differences import new_case_difference, rerun_difference
from steelyard.metrics.intervals import rerun_interval, suite_mean_interval
from steelyard.model.estimate import Target

SAMPLES_AND_K = ((2, 1), (5, 1), (10, 1), (4, 2), (10, 5))
SUITES = ((10, 20), (10,) * 5, (5, 10, 40, 100), (20,) * 10)
LOST_SHARE = 0.15  # of the pass probability of every other case, on average


def relatives_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every other interval whose coverage is promised."""
    runs = 500 if quick else 2000
    return [
        rerun_study(rng, runs=runs, quick=quick),
        difference_study(rng, runs=runs, quick=quick),
        suite_study(rng, runs=runs),
    ]


def rerun_study(rng: np.random.Generator, *, runs: int, quick: bool) -> Study:
    """Measure the interval for drawing the same cases again."""
    rows: list[Row] = []
    populations, sizes = (QUICK_POPULATIONS, QUICK_CASES) if quick else (POPULATIONS, CASES)
    for population, cases, (n, k) in product(populations, sizes, SAMPLES_AND_K):
        p = population.draw(rng, (runs, cases))
        truth = (1 - (1 - p) ** k).mean(axis=1)
        low, high = bounds_of(rerun_interval(CaseCounts.of(n=n, c=c), k=k) for c in rng.binomial(n, p))
        found = caught(low, high, truth)
        rows.append({"population": population.name, "cases": cases, "n": n, "k": k, **found})
    title = "Coverage of 95 % intervals for drawing the same cases again"
    return Study(title=title, markdown=by_size(rows), rows=rows)


def difference_study(rng: np.random.Generator, *, runs: int, quick: bool) -> Study:
    """Measure both intervals of a difference: 5 points down, all of it on half of the cases."""
    rows: list[Row] = []
    for cases, n in product(QUICK_CASES if quick else CASES, (1, 5, 10)):
        p = U_SHAPED.draw(rng, (runs, cases))
        q = p * rng.choice([1.0, 1 - LOST_SHARE], size=p.shape)
        before, after = (
            [CaseCounts.of(n=n, c=c).sums for c in rng.binomial(n, chances)] for chances in (p, q)
        )
        pairs = list(zip(before, after, strict=True))
        new = bounds_of(new_case_difference(*pair).interval for pair in pairs)
        again = bounds_of(rerun_difference(*pair).interval for pair in pairs)
        expected = -LOST_SHARE / 2 * U_SHAPED.pass_at_k(1)
        rows += [
            {"target": Target.NEW_CASES, "cases": cases, "n": n, **caught(*new, expected)},
            {"target": Target.RERUN, "cases": cases, "n": n, **caught(*again, (q - p).mean(axis=1))},
        ]
    title = "Coverage of 95 % intervals of a difference"
    return Study(title=title, markdown=_listing(rows, ["target", "cases", "n"]), rows=rows)


def suite_study(rng: np.random.Generator, *, runs: int) -> Study:
    """Measure the interval of a mean of suite means."""
    rows: list[Row] = []
    for sizes, population, n in product(SUITES, (U_SHAPED, POPULATIONS[3]), (1, 5)):
        suites = [rng.binomial(n, population.draw(rng, (runs, size))) / n for size in sizes]
        low, high = bounds_of(
            suite_mean_interval([MeanSums.of(values) for values in run]) for run in zip(*suites, strict=True)
        )
        found = caught(low, high, population.pass_at_k(1))
        rows.append({"suites": str(sizes), "population": population.name, "n": n, **found})
    title = "Coverage of 95 % intervals of a mean of suite means"
    return Study(title=title, markdown=_listing(rows, ["suites", "population", "n"]), rows=rows)


def _listing(rows: list[Row], keys: Sequence[str]) -> str:
    return markdown_table(
        [*keys, "coverage %", "width in points"],
        [
            [*(row[key] for key in keys), *(percent(number(row, name)) for name in ("coverage", "width"))]
            for row in rows
        ],
    )
