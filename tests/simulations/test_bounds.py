"""The bound behind a pass, at a small size: a drop of the margin passes once in twenty times or less."""

import numpy as np
import pytest

from perf.simulations.bounds import bound_row
from perf.simulations.populations import GATE_POPULATIONS, Population
from perf.simulations.study import number

RUNS = 250
ALLOWED = 0.05 + 3 * np.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize("population", GATE_POPULATIONS, ids=lambda population: population.name)
@pytest.mark.parametrize(
    ("cases", "n"), [(30, (1, 1)), (60, (3, 3)), (164, (5, 5)), (31, (10, 1)), (60, (5, 2))]
)
def test_a_drop_of_the_margin_hardly_ever_passes(
    population: Population, cases: int, n: tuple[int, int]
) -> None:
    row = bound_row(population, cases=cases, n=n, runs=RUNS, rng=np.random.default_rng(11))

    assert number(row, "spread") <= ALLOWED
    assert number(row, "broken") <= ALLOWED


def test_with_five_samples_of_164_cases_nothing_keeps_an_unchanged_run_from_passing() -> None:
    row = bound_row(GATE_POPULATIONS[1], cases=164, n=(5, 5), runs=100, rng=np.random.default_rng(12))

    assert number(row, "none") >= 0.9
