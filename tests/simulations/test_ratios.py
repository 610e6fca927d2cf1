import numpy as np

from simulations.ratios import cost_study, uplift_study
from simulations.study import Row, number

OURS = "log-delta (ours)"


def coverages(rows: list[Row], method: str) -> list[float]:
    return [number(row, "coverage") for row in rows if row["method"] == method]


def test_the_interval_of_the_cost_of_pass_covers_where_the_bootstrap_does_not() -> None:
    rows = cost_study(np.random.default_rng(11), runs=200, quick=True).rows

    assert min(coverages(rows, OURS)) > 0.87
    assert np.mean(coverages(rows, OURS)) > 0.93
    assert min(coverages(rows, "bootstrap percentile")) < 0.7


def test_the_interval_of_an_uplift_covers_and_pairing_pays() -> None:
    rows = uplift_study(np.random.default_rng(12), runs=200, quick=True).rows

    assert min(coverages(rows, OURS)) > 0.9
    assert min(coverages(rows, "log-delta, unpaired")) > 0.96
