"""Measure what stopping early saves, in paired samples of 164 cases, against a fixed five rounds."""

from functools import cache

import numpy as np

from perf.simulations.populations import U_SHAPED, Ints
from perf.simulations.study import Row, Study, markdown_table, number
from steelyard.metrics.cmh import mcnemar_p
from steelyard.metrics.sequential import Step, sprt_step

CASES = 164
ROUNDS = 5  # of the fixed design
CAP = 10  # rounds after which the ratio test gives up
DROPS = {"no change": 0.0, "-2 points": 0.02, "-5 points": 0.05, "-10 points": 0.10, "+3 points": -0.03}
ALPHA = 0.05


def sequential_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure alarms and samples used by the fixed and the sequential designs."""
    runs = 400 if quick else 4000
    rows: list[Row] = []
    for scenario, drop in DROPS.items():
        losses, wins = paths(drop, runs=runs, rng=rng)
        for design, (alarms, pairs) in {
            f"fixed {ROUNDS} rounds": fixed(losses, wins),
            "SPRT, any time": ratio_test(losses, wins),
            "naive: p < .05 after any round": naive(losses, wins),
        }.items():
            rows.append({"design": design, "scenario": scenario, "alarms": alarms, "pairs": pairs})
    return [Study(title="Sequential gates: alarms (mean pairs used)", markdown=_markdown(rows), rows=rows)]


def paths(drop: float, *, runs: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return losses and wins after each paired sample, case by case in a random order every round."""
    p = U_SHAPED.draw(rng, (runs, CASES))
    q = np.clip(p * (1 - drop / p.mean(axis=1, keepdims=True)), 0, 1)
    order = np.argsort(rng.random((runs, CAP, CASES)), axis=2).reshape(runs, CAP * CASES)
    before = rng.random(order.shape) < np.take_along_axis(p, order, axis=1)
    after = rng.random(order.shape) < np.take_along_axis(q, order, axis=1)
    return np.cumsum(before & ~after, axis=1), np.cumsum(after & ~before, axis=1)


def fixed(losses: Ints, wins: Ints) -> tuple[float, float]:
    """Return alarms and pairs of one exact test after the planned rounds."""
    last = ROUNDS * CASES - 1
    return float(_rejections(losses[:, last], wins[:, last]).mean()), float(last + 1)


def ratio_test(losses: Ints, wins: Ints) -> tuple[float, float]:
    """Return alarms and pairs of our anytime test, looked at after every pair."""
    steps = np.array(
        [[_step(lost, won) for won in range(wins.max() + 1)] for lost in range(losses.max() + 1)]
    )
    taken = steps[losses, wins]
    ended = (taken != Step.CONTINUE).any(axis=1)
    first = np.where(ended, (taken != Step.CONTINUE).argmax(axis=1), CAP * CASES - 1)
    alarms = taken[np.arange(len(taken)), first] == Step.DROP
    return float(alarms.mean()), float((first + 1).mean())


def naive(losses: Ints, wins: Ints) -> tuple[float, float]:
    """Return the alarms of testing after every round as if each were the only test."""
    rounds = [round_ * CASES - 1 for round_ in range(1, CAP + 1)]
    rejected = np.stack([_rejections(losses[:, at], wins[:, at]) for at in rounds])
    first = np.where(rejected.any(axis=0), rejected.argmax(axis=0) + 1, CAP)
    return float(rejected.any(axis=0).mean()), float(first.mean() * CASES)


def _rejections(losses: Ints, wins: Ints) -> np.typing.NDArray[np.bool_]:
    return np.array([_p(int(lost), int(won)) <= ALPHA for lost, won in zip(losses, wins, strict=True)])


@cache
def _p(losses: int, wins: int) -> float:
    return mcnemar_p(losses=losses, wins=wins)


@cache
def _step(losses: int, wins: int) -> Step:
    return sprt_step(losses=losses, wins=wins, alpha=ALPHA)


def _markdown(rows: list[Row]) -> str:
    found = {(row["design"], row["scenario"]): row for row in rows}
    designs = dict.fromkeys(row["design"] for row in rows)
    return markdown_table(
        ["design", *DROPS],
        [[design, *(_cell(found[design, scenario]) for scenario in DROPS)] for design in designs],
    )


def _cell(row: Row) -> str:
    return f"{number(row, 'alarms'):.3f} ({number(row, 'pairs'):.0f})"
