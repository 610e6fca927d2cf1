"""Draw by a stop rule with known truths, and measure bias and coverage of what the report says.

Simulated models are asked in two tiers; each case stops by the rule, its samples are counted as the store
counts them, and the numbers are those of a whole report. Beside them stands what the report would say if
nobody had declared the rule.
"""

from itertools import product

import numpy as np
from scipy.special import expit

from perf.simulations.populations import Floats
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.analysis.build import build_report
from steelyard.metrics.stopping import StopRule, stop_rule_of
from steelyard.model.estimate import Estimate, Interval
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence
from steelyard.model.units import MICRO_POINTS, NANO_USD

RULES = ("maximum=10,passes=1", "maximum=10,minimum=3,passes=2", "maximum=8,failures=3")
WORLDS = {"hard cases": -2.2, "middling cases": 0.0}  # mean log-odds of a pass
CASE_SD, EFFECT = 1.5, 0.7  # of the log-odds: between cases, and what the other tier adds
FAIL_LOW, FAIL_HIGH = 0.1, 0.5  # scores of failed samples; a pass scores 1
FAILURE_DEARER = 2.0  # times as much a failed sample costs
COST_SD = 0.5  # of the logarithm of a case's cost
MANY = 400_000  # cases by which a truth is found
QUANTITIES = ("pass rate", "score", "cost of pass", "uplift")

Found = dict[str, tuple[float | None, Interval | None]]


def stopping_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every rule in every world, with the rule declared and without."""
    return [stop_rule_study(rng, runs=30 if quick else 300, cases=60)]


def stop_rule_study(rng: np.random.Generator, *, runs: int, cases: int) -> Study:
    """Make so many reports of each rule and world; compare each of their numbers with the truth."""
    rows: list[Row] = []
    for text, (world, base) in product(RULES, WORLDS.items()):
        truths = _truths(base, rng)
        drawn = [_evidence(stop_rule_of(text), base, cases, rng) for _ in range(runs)]
        for name, options in (("declared", ReportOptions(stop_rule=text)), ("not declared", ReportOptions())):
            found = [_numbers(build_report(evidence, options)) for evidence in drawn]
            rows += [
                {"rule": text, "world": world, "report": name, **_row(quantity, found, truths[quantity])}
                for quantity in QUANTITIES
            ]
    return Study(title="Bias and coverage under a stop rule", markdown=_markdown(rows), rows=rows)


def _row(quantity: str, found: list[Found], truth: float) -> Row:
    values = [value for numbers in found if (value := numbers[quantity][0]) is not None]
    held = [holds(numbers[quantity][1], truth) for numbers in found]
    return {
        "quantity": quantity,
        "truth": truth,
        "bias": float(np.mean(values)) - truth,
        "median_bias": float(np.median(values)) - truth,
        "coverage": float(np.mean(held)),
    }


def _evidence(rule: StopRule, base: float, cases: int, rng: np.random.Generator) -> Evidence:
    odds = rng.normal(base, CASE_SD, cases)
    price = rng.lognormal(-3, COST_SD, cases)
    states = [
        drawn_state(rule, tier, case, rate, price[case], rng)
        for tier, gain in (("T0", 0.0), ("T1", EFFECT))
        for case, rate in enumerate(expit(odds + gain))
    ]
    scoring = Scoring(name="build-test-lint", version=1)
    return Evidence(states=tuple(sorted(states)), scoring=scoring, spreads={})


def drawn_state(  # noqa: PLR0913, PLR0917  # every argument is of another kind
    rule: StopRule, tier: str, case: int, rate: float, price: float, rng: np.random.Generator
) -> CaseState:
    """Draw the samples of a case until the rule ends it, and count them as the store does."""
    """Draw the samples of a case until the rule ends it, and count them as the store does."""
    passed: list[bool] = []
    while not passed or not rule.stops(n=len(passed), c=sum(passed)):
        passed.append(bool(rng.random() < rate))
    is_pass = np.array(passed)
    scores = np.where(is_pass, 1.0, rng.uniform(FAIL_LOW, FAIL_HIGH, len(passed)))
    micro = np.rint(scores * MICRO_POINTS).astype(int)
    nano = np.rint(price * np.where(is_pass, 1.0, FAILURE_DEARER) * NANO_USD).astype(int)
    return CaseState(
        "simulated",
        tier,
        "s",
        f"case-{case:04d}",
        None,
        n=len(passed),
        c=sum(passed),
        score_n=len(passed),
        score_sum=int(micro.sum()),
        score_sq=int((micro * micro).sum()),
        cost_n=len(passed),
        cost_sum=int(nano.sum()),
        score_pass_sum=int(micro[is_pass].sum()),
        cost_pass_sum=int(nano[is_pass].sum()),
        cost_fail_sum=int(nano[~is_pass].sum()),
    )


def _truths(base: float, rng: np.random.Generator) -> dict[str, float]:
    odds = rng.normal(base, CASE_SD, MANY)
    before, after = expit(odds), expit(odds + EFFECT)
    price = float(np.exp(-3 + COST_SD**2 / 2))
    cost = price * (before + FAILURE_DEARER * (1 - before)).mean()
    truths = (
        before.mean(),
        mean_score(before),
        cost / before.mean(),
        mean_score(after) / mean_score(before) - 1,
    )
    return dict(zip(QUANTITIES, map(float, truths), strict=True))


def mean_score(rates: Floats) -> float:
    """Return the mean score of samples that pass at these rates."""
    return float((rates + (1 - rates) * (FAIL_LOW + FAIL_HIGH) / 2).mean())


def _numbers(report: Report) -> Found:
    baseline, better = report.subjects
    cost, uplift = baseline.cost_of_pass, better.uplift
    return {
        "pass rate": _with_interval(baseline.overall.pooled),
        "score": _with_interval(baseline.score),
        "cost of pass": (cost.value, cost.interval) if cost else (None, None),
        "uplift": _with_interval(uplift.of_mean) if uplift else (None, None),
    }


def _with_interval(estimate: Estimate) -> tuple[float | None, Interval | None]:
    return estimate.value, next(iter(estimate.intervals), None)


def holds(interval: Interval | None, truth: float) -> bool:
    """Whether an interval holds the truth; where the report gives none, it claims nothing that is wrong."""
    if interval is None:
        return True
    low = -np.inf if interval.low is None else interval.low
    return bool(low <= truth <= (np.inf if interval.high is None else interval.high))


def _markdown(rows: list[Row]) -> str:
    names = ("rule", "world", "report", "quantity")
    return markdown_table(
        [*names, "truth", "mean bias", "coverage"],
        [
            [
                *(row[name] for name in names),
                f"{number(row, 'truth'):.3f}",
                f"{number(row, 'bias'):+.3f}",
                percent(number(row, "coverage")),
            ]
            for row in rows
        ],
    )
