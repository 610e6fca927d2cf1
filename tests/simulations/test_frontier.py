import numpy as np

from perf.simulations.frontier import frontier_study
from perf.simulations.study import number


def test_the_frontier_as_seen_is_too_high_and_the_smoothed_one_too_low() -> None:
    (study,) = frontier_study(np.random.default_rng(5), quick=True)

    few, more = study.rows
    assert number(few, "as seen") > number(more, "as seen") > 0.5
    assert number(few, "smoothed") < 0
    assert number(few, "capped") > number(more, "capped") > 0
