"""What a gate states of itself, at a small size: about as often as it says it sees a drop."""

import numpy as np
import pytest

from perf.simulations.detection import Design, design_rows
from perf.simulations.populations import MOSTLY_DETERMINISTIC, U_SHAPED, Population
from perf.simulations.study import number


@pytest.mark.parametrize("population", [U_SHAPED, MOSTLY_DETERMINISTIC], ids=lambda one: one.name)
def test_a_gate_sees_about_as_much_as_it_says(population: Population) -> None:
    rng = np.random.default_rng(17)

    rows = list(design_rows(Design(population, 60, 3), rng, pairs=100, stated=4))

    assert [row["damage"] for row in rows] == ["-5 points", "1 broken"]
    for row in rows:
        assert number(row, "stated") == pytest.approx(number(row, "true"), abs=0.2)
