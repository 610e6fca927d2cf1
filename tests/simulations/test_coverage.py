import numpy as np
import pytest

from perf.simulations.coverage import BOOTSTRAP, OURS, WILSON, Size, new_case_rows
from perf.simulations.coverage_relatives import difference_study, rerun_study, suite_study
from perf.simulations.populations import POPULATIONS, Population
from perf.simulations.study import Row, number

CEILING = POPULATIONS[3]
CLT = "normal over cases (CLT)"
BAYES = "uniform prior per case"


def measured(population: Population, size: Size, *, runs: int = 1500) -> dict[str, Row]:
    rows = new_case_rows(population, size, runs=runs, rng=np.random.default_rng(3))
    return {str(row["method"]): row for row in rows}


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.name)
@pytest.mark.parametrize("size", [Size(10, 1, 1), Size(20, 5, 1), Size(20, 10, 5)])
def test_the_default_interval_covers_in_every_population(population: Population, size: Size) -> None:
    ours = measured(population, size, runs=800)[OURS]

    assert number(ours, "coverage") > 0.93 - 0.025  # three standard errors of 800 runs


@pytest.mark.parametrize("population", POPULATIONS[:3], ids=lambda population: population.name)
def test_the_default_interval_is_not_needlessly_wide(population: Population) -> None:
    found = measured(population, Size(164, 5, 1), runs=1000)

    assert 0.93 < number(found[OURS], "coverage") < 0.975
    assert number(found[OURS], "width") < 1.02 * number(found[CLT], "width")


def test_near_the_ceiling_the_rivals_miss() -> None:
    found = measured(CEILING, Size(10, 1, 1))

    assert number(found[CLT], "coverage") < 0.65
    assert number(found[BOOTSTRAP], "coverage") < 0.65
    assert number(found[BAYES], "coverage") < 0.1
    assert number(found[OURS], "coverage") > 0.94


def test_treating_samples_of_a_case_as_independent_misses() -> None:
    found = measured(POPULATIONS[2], Size(50, 10, 1))

    assert number(found[WILSON], "coverage") < 0.65


def test_the_rerun_interval_covers() -> None:
    rows = rerun_study(np.random.default_rng(4), runs=200, quick=True).rows

    coverages = [number(row, "coverage") for row in rows]
    assert min(coverages) > 0.9
    assert 0.95 < np.mean(coverages) < 0.985


def test_both_intervals_of_a_difference_cover() -> None:
    rows = difference_study(np.random.default_rng(5), runs=400, quick=True).rows

    assert min(number(row, "coverage") for row in rows) > 0.92


def test_the_interval_of_a_mean_of_suites_covers() -> None:
    rows = suite_study(np.random.default_rng(6), runs=250).rows

    assert min(number(row, "coverage") for row in rows) > 0.91
