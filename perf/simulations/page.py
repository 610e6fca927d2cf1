"""Measure every interval of a report's page against a known truth.

Simulated models are asked in two tiers over two suites, a fixed number of samples a case; their samples are
counted as the store counts them, and the intervals are those of a whole report.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import expit

from perf.simulations.populations import Floats
from perf.simulations.stopping import COST_SD, FAILURE_DEARER, drawn_state, holds, mean_score
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.analysis.build import build_report
from steelyard.metrics.stopping import fixed
from steelyard.model.estimate import Estimate, Interval, Target
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import Evidence

K = 3
SAMPLES = 2 * K  # so that the interval for drawing the same cases again exists
CASE_SD, EFFECT_SD, EFFECT = 1.8, 0.5, 0.6  # of the log-odds
MANY = 400_000  # cases by which a truth is found
WORLDS = {"hard": -2.5, "middling": 0.0, "easy": 2.5}  # mean log-odds of a pass in the baseline tier
SIZES = (5, 20, 60)  # cases
SCORING = Scoring(name="build-test-lint", version=1)

Found = dict[str, Interval | None]
Truths = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The evidence of one report, and how often the baseline tier truly passes each of its cases."""

    evidence: Evidence
    rates: Floats


def page_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every world and size."""
    return [interval_study(rng, runs=40 if quick else 400, sizes=SIZES[:1] if quick else SIZES)]


def interval_study(rng: np.random.Generator, *, runs: int, sizes: tuple[int, ...]) -> Study:
    """Make so many reports of each world and size, and count how often each interval holds its truth."""
    rows: list[Row] = []
    for (world, base), cases in product(WORLDS.items(), sizes):
        truths = _truths(base, rng)
        held: dict[str, list[bool]] = {}
        for _ in range(runs):
            drawn = _drawn(base, cases, rng)
            report = build_report(drawn.evidence, ReportOptions(pass_k=(1, K)))
            here = truths | _truths_here(drawn.rates)
            for name, interval in _intervals(report).items():
                held.setdefault(name, []).append(holds(interval, here[name]))
        rows += [
            {"interval": name, "world": world, "cases": cases, "coverage": float(np.mean(each))}
            for name, each in held.items()
        ]
    return Study(title="Coverage of every 95 % interval of a page", markdown=_markdown(rows), rows=rows)


def _drawn(base: float, cases: int, rng: np.random.Generator) -> Drawn:
    odds = rng.normal(base, CASE_SD, cases)
    gains = rng.normal(EFFECT, EFFECT_SD, cases)
    price = rng.lognormal(-3, COST_SD, cases)
    states = [
        drawn_state(fixed(SAMPLES), tier, case, rate, price[case], rng)._replace(suite=f"suite-{case % 2}")
        for tier, rates in (("T0", expit(odds)), ("T1", expit(odds + gains)))
        for case, rate in enumerate(rates)
    ]
    evidence = Evidence(states=tuple(sorted(states)), scoring=SCORING, spreads={})
    return Drawn(evidence=evidence, rates=expit(odds))


def _truths(base: float, rng: np.random.Generator) -> Truths:
    """Return what each number is on all cases like these."""
    odds = rng.normal(base, CASE_SD, MANY)
    before, after = expit(odds), expit(odds + rng.normal(EFFECT, EFFECT_SD, MANY))
    price = float(np.exp(-3 + COST_SD**2 / 2))
    rate = float(before.mean())
    return {
        "pass@1": rate,
        f"pass@{K}": float((1 - (1 - before) ** K).mean()),
        f"pass^{K}": float((before**K).mean()),
        "score": mean_score(before),
        "accuracy of a suite": rate,
        "mean of suites": rate,
        "mean of cases": rate,
        "cost of pass": price * float((before + FAILURE_DEARER * (1 - before)).mean()) / rate,
        "uplift": mean_score(after) / mean_score(before) - 1,
    }


def _truths_here(rates: Floats) -> Truths:
    """Return what each number is when these very cases are drawn again."""
    return {
        "pass@1, re-run": float(rates.mean()),
        f"pass@{K}, re-run": float((1 - (1 - rates) ** K).mean()),
    }


def _intervals(report: Report) -> Found:
    baseline, better = report.subjects
    first, more = (at.estimate for at in baseline.pass_at_k)
    cost, uplift = baseline.cost_of_pass, better.uplift
    return {
        "pass@1": _interval(first),
        "pass@1, re-run": _interval(first, Target.RERUN),
        f"pass@{K}": _interval(more),
        f"pass@{K}, re-run": _interval(more, Target.RERUN),
        f"pass^{K}": _interval(baseline.pass_hat_k[1].estimate),
        "score": _interval(baseline.score),
        "accuracy of a suite": _interval(report.suites[0].accuracy),
        "mean of suites": _interval(baseline.overall.macro),
        "mean of cases": _interval(baseline.overall.pooled),
        "cost of pass": cost.interval if cost else None,
        "uplift": _interval(uplift.of_mean) if uplift else None,
    }


def _interval(estimate: Estimate, target: Target = Target.NEW_CASES) -> Interval | None:
    return next((each for each in estimate.intervals if each.target is target), None)


def _markdown(rows: list[Row]) -> str:
    columns = list(dict.fromkeys((row["world"], row["cases"]) for row in rows))
    found = {(row["interval"], row["world"], row["cases"]): number(row, "coverage") for row in rows}
    names = dict.fromkeys(row["interval"] for row in rows)
    return markdown_table(
        ["interval", *(f"{world}, {cases} cases" for world, cases in columns)],
        [[name, *(percent(found[name, *column]) for column in columns)] for name in names],
    )
