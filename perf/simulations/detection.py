"""Compare the chances that a gate states of seeing a drop with how often it sees one.

The truth is counted over many pairs of runs of new cases of a population; what is stated comes from pairs
without a change, as a gate that saw nothing states it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from perf.simulations.gate_draws import broken, points_down
from perf.simulations.populations import POPULATIONS, Floats, Population
from perf.simulations.side_by_side import side_by_side
from perf.simulations.study import Row, Study, markdown_table, number, percent
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.detection import paired_chances
from steelyard.metrics.drop_test import joint_drop_test

TITLE = "Stated and true chances of seeing a drop"
DROP = 0.05
ALPHA = 0.05
SIZES = ((30, 5), (60, 3), (164, 1), (164, 3), (164, 5), (164, 10), (500, 3))
NAMES = ("U-shaped, mean .67", "near the ceiling", "55 % always, 10 % never", "99 % reliable")


class Task(NamedTuple):
    """Which population, how many cases and samples, and how many pairs and statements."""

    population: int
    size: tuple[int, int]
    pairs: int
    stated: int


@dataclass(frozen=True, slots=True)
class Design:
    """Cases of a population, and how often each is drawn."""

    population: Population
    cases: int
    samples: int

    def draw(self, p: Floats, rng: np.random.Generator) -> CaseCounts:
        """Draw one run with these pass rates."""
        return CaseCounts.of(n=self.samples, c=rng.binomial(self.samples, p))


def detection_study(rng: np.random.Generator, *, quick: bool) -> list[Study]:
    """Measure every population at every size."""
    return [stated_and_true(rng, pairs=20 if quick else 1_000, stated=2 if quick else 40)]


def stated_and_true(rng: np.random.Generator, *, pairs: int, stated: int) -> Study:
    """Count over so many pairs how often a drop is seen, beside the mean of so many statements."""
    tasks = [Task(*found, pairs, stated) for found in product(range(len(_populations())), SIZES)]
    rows = [row for found in side_by_side(_rows, tasks, rng) for row in found]
    return Study(title=TITLE, markdown=_markdown(rows), rows=rows)


def _rows(task: Task, rng: np.random.Generator) -> list[Row]:
    design = Design(_populations()[task.population], *task.size)
    return list(design_rows(design, rng, pairs=task.pairs, stated=task.stated))


def _populations() -> list[Population]:
    return [population for population in POPULATIONS if population.name.startswith(NAMES)]


def design_rows(design: Design, rng: np.random.Generator, *, pairs: int, stated: int) -> Iterator[Row]:
    """Return, for each kind of damage, how often it is seen and how often that is said."""
    drawn = [design.population.draw(rng, (1, design.cases))[0] for _ in range(stated)]
    said = [paired_chances(design.draw(p, rng), design.draw(p, rng), drop=DROP, alpha=ALPHA) for p in drawn]
    for kind, change, values in (
        ("-5 points", points_down(DROP), [chances.spread for chances in said]),
        ("1 broken", broken(1), [chances.one_case for chances in said]),
    ):
        seen = 0
        for _ in range(pairs):
            p = design.population.draw(rng, (1, design.cases))
            q = np.clip(change(p, rng), 0, 1)
            runs = design.draw(p[0], rng), design.draw(q[0], rng)
            seen += joint_drop_test(*runs, alpha=ALPHA).p <= ALPHA
        yield {
            "population": design.population.name,
            "cases": design.cases,
            "n": design.samples,
            "damage": kind,
            "true": seen / pairs,
            "stated": float(np.mean(values)),
            "spread": float(np.std(values)),
        }


def _markdown(rows: list[Row]) -> str:
    head = ["population", "cases", "samples", "damage", "seen", "stated", "± of a statement"]
    body = [
        [
            str(row["population"]),
            str(row["cases"]),
            str(row["n"]),
            str(row["damage"]),
            *(percent(number(row, name)) for name in ("true", "stated", "spread")),
        ]
        for row in rows
    ]
    return markdown_table(head, body)
