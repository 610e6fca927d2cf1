"""Measure how often intervals of a ratio catch it: cost of pass, and uplift over a baseline tier."""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from scipy.special import expit, ndtri

from perf.simulations.populations import Floats, Population, beta
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.ratios import (
    RatioSums,
    cost_of_pass_interval,
    fieller_interval,
    log_delta_interval,
    ratio_interval,
    uplift_interval,
)
from steelyard.model.estimate import Interval

Z = float(ndtri(0.975))
POPULATIONS = (
    beta("mean .67", 0.5, 0.25),
    beta("mean .11", 0.15, 1.2),
    beta("mean .03", 0.05, 1.5),
    beta("mean .95", 1.9, 0.1),
)
BOOTSTRAP_RUNS = 300
RESAMPLES = 400
CASE_SD, SAMPLE_SD, HARDER_DEARER = 0.7, 0.4, 0.5  # of the logarithm of the cost
BASELINES = {  # mean log-odds
    "baseline about .65": 1.0,
    "baseline about .27": -1.6,
    "baseline about .93": 4.0,
    "baseline about .99": 6.0,
}

Method = Callable[[Floats, Floats], tuple[float, float]]


def ratio_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure cost of pass and uplift."""
    runs = 300 if quick else 3000
    return [cost_study(rng, runs=runs, quick=quick), uplift_study(rng, runs=runs, quick=quick)]


def cost_study(rng: np.random.Generator, *, runs: int, quick: bool) -> Study:
    """Measure the interval of total cost / total passes; costs are lognormal and higher for hard cases."""
    rows: list[Row] = []
    for population, cases, n in product(POPULATIONS, (5, 20) if quick else (5, 10, 20, 50, 164), (1, 5, 10)):
        p = population.draw(rng, (runs, cases))
        price = rng.lognormal(-3 + HARDER_DEARER * (1 - p), CASE_SD)
        costs = rng.gamma(n / SAMPLE_SD**2, SAMPLE_SD**2, p.shape) * price
        passes = rng.binomial(n, p)
        truth = _mean_price(population, rng) / population.pass_at_k(1)
        methods: dict[str, Method] = {
            "log-delta, pseudo-cases (ours)": partial(our_cost_of_pass, samples=n * cases),
            "log-delta": lambda x, y: _ends(ratio_interval(RatioSums.of(x, y))),
            "Wald": wald,
            "bootstrap percentile": lambda x, y: percentile(x, y, rng),
        }
        found = _coverages(methods, costs, passes.astype(np.float64), truth)
        rows += [{"setting": population.name, "cases": cases, "n": n, **row} for row in found]
    return Study(title="Coverage of 95 % intervals of the cost of pass", markdown=_markdown(rows), rows=rows)


def uplift_study(rng: np.random.Generator, *, runs: int, quick: bool) -> Study:
    """Measure the interval of mean(tier) / mean(baseline) over shared cases."""
    rows: list[Row] = []
    for (name, base), cases, n in product(
        BASELINES.items(), (5, 20) if quick else (5, 10, 20, 50, 164), (1, 5, 10)
    ):
        p, q = _tiers(base, (runs, cases), rng)
        before, after = rng.binomial(n, p) / n, rng.binomial(n, q) / n
        many_p, many_q = _tiers(base, (1, 2_000_000), rng)
        usable = (before.sum(axis=1) > 0) & (after.sum(axis=1) > 0)
        methods: dict[str, Method] = {
            "log-delta, pseudo-cases (ours)": our_uplift,
            "log-delta": lambda x, y: _ends(ratio_interval(RatioSums.of(x, y))),
            "log-delta, unpaired": unpaired,
            "Fieller": lambda x, y: _ends(fieller_interval(RatioSums.of(x, y))),
            "bootstrap percentile": lambda x, y: percentile(x, y, rng),
        }
        found = _coverages(methods, after[usable], before[usable], many_q.mean() / many_p.mean())
        rows += [{"setting": name, "cases": cases, "n": n, **row} for row in found]
    return Study(title="Coverage of 95 % intervals of an uplift", markdown=_markdown(rows), rows=rows)


def our_cost_of_pass(x: Floats, y: Floats, *, samples: int) -> tuple[float, float]:
    """Return our interval of the cost of pass."""
    return _ends(cost_of_pass_interval(costs=x, passes=y.astype(int).tolist(), samples=samples))


def our_uplift(x: Floats, y: Floats) -> tuple[float, float]:
    """Return our interval of 1 + uplift; without one, nothing is said and nothing missed."""
    found = uplift_interval(tier=x, baseline=y)
    if found is None:
        return 0.0, np.inf
    low, high = _ends(found)
    return 1 + low, 1 + high


def wald(x: Floats, y: Floats) -> tuple[float, float]:
    """Return ratio ± 1.96 delta-method errors; no upper end without a pass."""
    if y.sum() == 0:
        return 0.0, np.inf
    ratio = x.sum() / y.sum()
    error = (x - ratio * y).std(ddof=1) / np.sqrt(len(x)) / y.mean()
    return ratio - Z * error, ratio + Z * error


def unpaired(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the log-delta interval that forgets which values belong to the same case."""
    apart = RatioSums.of(x, y)
    free = RatioSums(
        count=apart.count, x=apart.x, y=apart.y, xx=apart.xx, yy=apart.yy, xy=apart.x * apart.y / apart.count
    )
    return _ends(log_delta_interval(free))


def percentile(x: Floats, y: Floats, rng: np.random.Generator) -> tuple[float, float]:
    """Return the percentile bootstrap over cases."""
    drawn = rng.integers(0, len(x), (RESAMPLES, len(x)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = x[drawn].sum(axis=1) / y[drawn].sum(axis=1)
    ratios = np.sort(np.nan_to_num(ratios, nan=1.0, posinf=np.inf))  # nothing over nothing is no change
    return float(ratios[round(0.025 * RESAMPLES)]), float(ratios[round(0.975 * RESAMPLES) - 1])


def _coverages(methods: dict[str, Method], xs: Floats, ys: Floats, truth: float) -> list[Row]:
    rows: list[Row] = []
    for name, method in methods.items():
        runs = BOOTSTRAP_RUNS if name.startswith("bootstrap") else len(xs)
        ends = np.array([method(x, y) for x, y in zip(xs[:runs], ys[:runs], strict=True)])
        held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        unbounded = np.isinf(ends[:, 1])
        rows.append({"method": name, "coverage": float(held.mean()), "unbounded": float(unbounded.mean())})
    return rows


def _ends(interval: Interval) -> tuple[float, float]:
    return (
        0.0 if interval.low is None else interval.low,
        np.inf if interval.high is None else interval.high,
    )


def _mean_price(population: Population, rng: np.random.Generator) -> float:
    p = population.draw(rng, (1_000_000,))
    return float(np.exp(-3 + HARDER_DEARER * (1 - p) + CASE_SD**2 / 2).mean())


def _tiers(base: float, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Floats, Floats]:
    odds = rng.normal(base, 2, shape)
    return expit(odds), expit(odds + rng.normal(0.5, 0.6, shape))


def _markdown(rows: list[Row]) -> str:
    columns = list(dict.fromkeys((row["cases"], row["n"]) for row in rows))
    found = {(row["setting"], row["method"], row["cases"], row["n"]): _cell(row) for row in rows}
    lines = dict.fromkeys((row["setting"], row["method"]) for row in rows)
    return markdown_table(
        ["setting", "method", *(f"M{cases} n{n}" for cases, n in columns)],
        [[*line, *(found[*line, *column] for column in columns)] for line in lines],
    )


def _cell(row: Row) -> str:
    open_ended = number(row, "unbounded")
    return percent(number(row, "coverage")) + (f" ({percent(open_ended)} open)" if open_ended else "")
