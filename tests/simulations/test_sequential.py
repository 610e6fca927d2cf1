import numpy as np
import pytest

from perf.simulations.sequential import sequential_study
from perf.simulations.study import Row, number

FIXED_PAIRS = 820


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Row]:
    (study,) = sequential_study(np.random.default_rng(10), quick=True)
    return {(str(row["design"]), str(row["scenario"])): row for row in study.rows}


def test_stopping_early_keeps_the_error_rates_and_saves_samples(found: dict[tuple[str, str], Row]) -> None:
    design = "SPRT, any time"

    assert number(found[design, "no change"], "alarms") < 0.08
    assert number(found[design, "-5 points"], "alarms") > 0.85
    assert number(found[design, "-10 points"], "pairs") < 0.5 * FIXED_PAIRS


def test_looking_again_and_again_at_p_cries_wolf(found: dict[tuple[str, str], Row]) -> None:
    assert number(found["naive: p < .05 after any round", "no change"], "alarms") > 0.09
