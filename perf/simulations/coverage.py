"""Measure how often intervals catch the truth they promise to catch.

The default interval and its rivals see the same drawn runs.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from perf.simulations.populations import POPULATIONS, Floats, Population
from perf.simulations.rivals import Bounds, Draw, bca, normal, pooled_wilson, uniform_bayes
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import MeanSums
from steelyard.metrics.intervals import mean_interval_of_sums
from steelyard.metrics.pass_at_k import pass_at_k
from steelyard.model.estimate import Interval

OURS = "t with 2 pseudo-cases (ours)"
WILSON = "Wilson on cases x samples"
RIVALS: dict[str, Callable[[Draw], Bounds]] = {
    "normal over cases (CLT)": normal,
    WILSON: pooled_wilson,
    "uniform prior per case": uniform_bayes,
}
BOOTSTRAP = "bootstrap BCa over cases"
BOOTSTRAP_RUNS = 500  # as many of the runs as the slow bootstrap gets to see

CASES = (10, 20, 50, 164)
SAMPLES_AND_K = ((1, 1), (2, 1), (5, 1), (10, 1), (5, 5), (10, 5))
QUICK_CASES = (10, 50)
QUICK_POPULATIONS = (POPULATIONS[0], POPULATIONS[3], POPULATIONS[6])
GOAL = 0.93  # what the default interval must reach everywhere
GRAZE = 1e-12  # a bound at exactly 0 or 1 catches a truth there


class Size(NamedTuple):
    """Cases of a run, samples of each, and the k of pass@k."""

    cases: int
    n: int
    k: int


def coverage_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure the interval for new cases beside its rivals."""
    populations = QUICK_POPULATIONS if quick else POPULATIONS
    sizes = [Size(cases, *rest) for cases, rest in product(QUICK_CASES if quick else CASES, SAMPLES_AND_K)]
    rows = [
        row
        for population, size in product(populations, sizes)
        for row in new_case_rows(population, size, runs=500 if quick else 8000, rng=rng)
    ]
    return [Study(title="Coverage of 95 % intervals for new cases", markdown=_summary(rows), rows=rows)]


def new_case_rows(
    population: Population, size: Size, *, runs: int, rng: np.random.Generator
) -> Iterator[Row]:
    """Yield the coverage and the mean width of every method for one population and size."""
    truth = population.pass_at_k(size.k)
    draw = drawn(population.draw(rng, (runs, size.cases)), n=size.n, k=size.k, rng=rng)
    bounds = {OURS: our_bounds(draw), **{name: rival(draw) for name, rival in RIVALS.items()}}
    bounds[BOOTSTRAP] = bca(draw.first(BOOTSTRAP_RUNS), rng)
    if size.k > 1:
        del bounds[WILSON]  # it knows passes only
    for method, (low, high) in bounds.items():
        found = caught(np.clip(low, 0, 1), np.clip(high, 0, 1), truth)
        yield {"population": population.name, **size._asdict(), "method": method, **found}


def drawn(p: Floats, *, n: int, k: int, rng: np.random.Generator) -> Draw:
    """Draw the passes of cases with these pass probabilities."""
    passes = rng.binomial(n, p)
    values = np.array([pass_at_k(n=n, c=c, k=k) for c in range(n + 1)])
    return Draw(passes=passes, values=values[passes], n=n, k=k)


def our_bounds(draw: Draw) -> Bounds:
    """Return the default interval of every run."""
    totals, squares = draw.values.sum(axis=1).tolist(), (draw.values**2).sum(axis=1).tolist()
    return bounds_of(
        mean_interval_of_sums(MeanSums(count=draw.cases, total=total, total_sq=square))
        for total, square in zip(totals, squares, strict=True)
    )


def caught(low: Floats, high: Floats, truth: float | Floats) -> dict[str, float]:
    """Return how often the bounds hold the truth, and how far apart they are on average."""
    held = (low <= truth + GRAZE) & (high >= truth - GRAZE)
    return {"coverage": float(held.mean()), "width": float((high - low).mean())}


def bounds_of(intervals: Iterator[Interval]) -> Bounds:
    """Return the ends of many intervals as arrays."""
    ends = np.array([(interval.low, interval.high) for interval in intervals], dtype=np.float64)
    return ends[:, 0], ends[:, 1]


def by_size(rows: list[Row]) -> str:
    """Return a table of coverage with a row per population and a column per size."""
    columns = list(dict.fromkeys((row["cases"], row["n"], row["k"]) for row in rows))
    found = {(r["population"], r["cases"], r["n"], r["k"]): percent(number(r, "coverage")) for r in rows}
    names = dict.fromkeys(row["population"] for row in rows)
    return markdown_table(
        ["population", *(f"M{cases} n{n} k{k}" for cases, n, k in columns)],
        [[name, *(found[name, *column] for column in columns)] for name in names],
    )


def _summary(rows: list[Row]) -> str:
    methods = list(dict.fromkeys(str(row["method"]) for row in rows))
    kept = [
        [row for row in rows if row["method"] == method and row["k"] == k]
        for method, k in product(methods, (1, 5))
    ]
    header = [
        "method",
        "k",
        "lowest %",
        "mean %",
        "share of settings at 93 % or more",
        "mean width",
        "lowest at",
    ]
    table = markdown_table(header, [_summary_line(mine) for mine in kept if mine])
    ours = [row for row in rows if row["method"] == OURS]
    return f"{table}\n\nOurs, by population (coverage in %):\n\n{by_size(ours)}"


def _summary_line(rows: list[Row]) -> list[object]:
    found = np.array([number(row, "coverage") for row in rows])
    width = np.mean([number(row, "width") for row in rows])
    worst = rows[int(found.argmin())]
    return [
        worst["method"],
        worst["k"],
        percent(found.min()),
        percent(found.mean()),
        percent((found >= GOAL).mean()),
        f"{width:.3f}",
        f"{worst['population']}, {worst['cases']} cases, n = {worst['n']}",
    ]
