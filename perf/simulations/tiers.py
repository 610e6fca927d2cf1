"""Weigh tiers whose true effect is known, and measure how often the report's own intervals catch it.

Simulated models are asked in a baseline tier and in a better, dearer one; their samples are counted as the
store counts them, and the numbers are those of a whole report.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import expit

from perf.simulations.populations import Floats
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.analysis.build import build_report
from steelyard.model.estimate import Interval
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence
from steelyard.model.units import MICRO_POINTS, NANO_USD

MANY = 1_000_000  # cases by which a truth is found
CASE_SD, EFFECT_SD = 2.0, 0.6  # of the log-odds: between cases, and of the effect from case to case
COST_CASE_SD, COST_SAMPLE_SD = 0.7, 0.4  # of the logarithm of the cost
DEARER = 1.8  # times as much a sample costs in the better tier
IMPL_GAP = 0.45  # by which a judge rates samples that pass above others
COMPOSITE = Scoring(name="composite", version=1)
SIZES = ((20, 10), (50, 10))  # cases, and runs of each tier
QUANTITIES = ("uplift", "cost of pass, T0", "cost of pass, T1")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """How hard the cases are in the baseline tier, and what the other tier adds, in log-odds."""

    name: str
    base: float
    effect: float


WORLDS = (
    World(name="no effect", base=0.5, effect=0.0),
    World(name="a clear effect", base=0.5, effect=1.0),
    World(name="hard cases", base=-1.8, effect=0.8),
)


def tier_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure the intervals of uplift and cost of pass in whole reports."""
    return [report_study(rng, runs=100 if quick else 400, sizes=SIZES[:1] if quick else SIZES)]


def report_study(rng: np.random.Generator, *, runs: int, sizes: tuple[tuple[int, int], ...]) -> Study:
    """Make so many reports of each world and size, and count how often they are right."""
    rows: list[Row] = []
    for world, (cases, samples) in product(WORLDS, sizes):
        truths = _truths(world, rng)
        found = [_intervals(_report(world, cases, samples, rng)) for _ in range(runs)]
        for name in QUANTITIES:
            held = [_holds(intervals[name], truths[name]) for intervals in found]
            is_open = [_is_open(intervals[name]) for intervals in found]
            rows.append(
                {
                    "world": world.name,
                    "cases": cases,
                    "runs": samples,
                    "quantity": name,
                    "truth": truths[name],
                    "coverage": float(np.mean(held)),
                    "open": float(np.mean(is_open)),
                }
            )
    return Study(title="Coverage of a tier report's 95 % intervals", markdown=_markdown(rows), rows=rows)


def _report(world: World, cases: int, samples: int, rng: np.random.Generator) -> Report:
    rates = _rates(world, cases, rng)
    price = rng.lognormal(-3, COST_CASE_SD, cases)
    states = [
        _state(tier, case, _drawn(rate, samples, rng), price[case] * dearer, rng)
        for (tier, dearer), of_tier in zip((("T0", 1.0), ("T1", DEARER)), rates, strict=True)
        for case, rate in enumerate(of_tier)
    ]
    evidence = Evidence(states=tuple(sorted(states)), scoring=COMPOSITE, spreads={})
    return build_report(evidence, ReportOptions())


def _rates(world: World, cases: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    odds = rng.normal(world.base, CASE_SD, cases)
    return expit(odds), expit(odds + rng.normal(world.effect, EFFECT_SD, cases))


def _drawn(rate: float, samples: int, rng: np.random.Generator) -> Floats:
    return (rng.random(samples) < rate).astype(np.float64)


def _rated(passed: Floats, rng: np.random.Generator) -> Floats:
    """Return a judge's ratings: uniform, and higher for what passes."""
    return np.asarray(rng.random(passed.shape) * (1 - IMPL_GAP) + IMPL_GAP * passed, dtype=np.float64)


def _state(tier: str, case: int, passed: Floats, price: float, rng: np.random.Generator) -> CaseState:
    scores = np.rint((passed + _rated(passed, rng)) / 2 * MICRO_POINTS).astype(int).tolist()
    costs = rng.gamma(1 / COST_SAMPLE_SD**2, COST_SAMPLE_SD**2 * price, len(passed))
    return CaseState(
        "simulated",
        tier,
        "s",
        f"case-{case:04d}",
        None,
        n=len(passed),
        c=int(passed.sum()),
        score_n=len(passed),
        score_sum=sum(scores),
        score_sq=sum(score * score for score in scores),
        cost_n=len(passed),
        cost_sum=int(np.rint(costs * NANO_USD).sum()),
    )


def _truths(world: World, rng: np.random.Generator) -> dict[str, float]:
    before, after = _rates(world, MANY, rng)
    composite = [(1 + IMPL_GAP) * rates.mean() / 2 + (1 - IMPL_GAP) / 4 for rates in (before, after)]
    cost = float(np.exp(-3 + COST_CASE_SD**2 / 2))
    truths = (composite[1] / composite[0] - 1, cost / before.mean(), DEARER * cost / after.mean())
    return dict(zip(QUANTITIES, map(float, truths), strict=True))


def _intervals(report: Report) -> dict[str, Interval | None]:
    baseline, better = report.subjects
    uplift = better.uplift.of_mean.intervals if better.uplift is not None else ()
    costs = [one.cost_of_pass.interval if one.cost_of_pass else None for one in (baseline, better)]
    return dict(zip(QUANTITIES, (next(iter(uplift), None), *costs), strict=True))


def _holds(interval: Interval | None, truth: float) -> bool:
    """Whether an interval holds the truth; where the report gives none, it claims nothing that is wrong."""
    if interval is None:
        return True
    low = -np.inf if interval.low is None else interval.low
    return bool(low <= truth <= (np.inf if interval.high is None else interval.high))


def _is_open(interval: Interval | None) -> bool:
    return interval is None or not interval.is_bounded


def _markdown(rows: list[Row]) -> str:
    columns = list(dict.fromkeys((row["cases"], row["runs"]) for row in rows))
    lines = dict.fromkeys((row["world"], row["quantity"]) for row in rows)
    found = {(row["world"], row["quantity"], row["cases"], row["runs"]): row for row in rows}
    return markdown_table(
        ["world", "quantity", *(f"M{cases} n{runs}" for cases, runs in columns)],
        [[*line, *(_cell(found[*line, *column]) for column in columns)] for line in lines],
    )


def _cell(row: Row) -> str:
    open_ended = number(row, "open")
    return percent(number(row, "coverage")) + (f" ({percent(open_ended)} open)" if open_ended else "")
