"""Measure how far the frontier cost of pass is off when each case was sampled only a few times."""

import numpy as np

from perf.simulations.populations import Floats
from perf.simulations.study import Row, Study, markdown_table, number
from steelyard.metrics.frontier import frontier_cost_of_pass

MODELS, CASES = 5, 60
EXPERT_USD = 20.0
PRICES_USD = (0.002, 0.005, 0.01, 0.03, 0.08)  # of a sample, by model
ABILITIES = (-1.5, -0.75, 0.0, 0.75, 1.5)  # in log-odds
HARDNESS_SD = 3.0
SAMPLES = (8, 16, 64, 256)


def frontier_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Compare the frontier as seen, and the smoothed one, with the true one."""
    runs = 20 if quick else 200
    rows: list[Row] = []
    for samples in SAMPLES[:2] if quick else SAMPLES:
        found = np.array([_errors(samples, rng) for _ in range(runs)])
        seen, smoothed, capped = (float(value) for value in found.mean(axis=0))
        rows.append({"samples": samples, "as seen": seen, "smoothed": smoothed, "capped": capped})
    return [Study(title="Error of the frontier cost of pass", markdown=_markdown(rows), rows=rows)]


def _errors(samples: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return by what part of the truth each form is off, and the share of cases that the expert decides."""
    odds = np.array(ABILITIES)[:, None] - rng.normal(0, HARDNESS_SD, CASES)[None, :]
    rates = 1 / (1 + np.exp(-odds))
    passes = rng.binomial(samples, rates)
    truth, _ = _frontier(rates)
    seen, capped = _frontier(passes / samples)
    smoothed, _ = _frontier((passes + 0.5) / (samples + 1))
    return seen / truth - 1, smoothed / truth - 1, capped / CASES


def _frontier(rates: Floats) -> tuple[float, int]:
    costs = [
        [price / rate if rate else None for price, rate in zip(PRICES_USD, of_case, strict=True)]
        for of_case in rates.T.tolist()
    ]
    found = frontier_cost_of_pass(costs, human_cost=EXPERT_USD)
    assert found.value is not None
    return found.value, found.capped


def _markdown(rows: list[Row]) -> str:
    def percent(row: Row, name: str) -> str:
        return f"{100 * number(row, name):+.0f} %"

    return markdown_table(
        ["samples of a case", "as seen", "smoothed", "decided by the expert"],
        [
            [
                row["samples"],
                percent(row, "as seen"),
                percent(row, "smoothed"),
                f"{100 * number(row, 'capped'):.0f} %",
            ]
            for row in rows
        ],
    )
