import numpy as np
import pytest

from perf.simulations.populations import POPULATIONS, RELIABLE, Population


@pytest.mark.parametrize("population", [*POPULATIONS, RELIABLE], ids=lambda population: population.name)
@pytest.mark.parametrize("k", [1, 5])
def test_the_stated_truth_of_a_population_is_that_of_its_draws(population: Population, k: int) -> None:
    p = population.draw(np.random.default_rng(1), (400_000,))

    assert population.pass_at_k(k) == pytest.approx(float((1 - (1 - p) ** k).mean()), abs=0.003)
