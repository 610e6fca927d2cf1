import numpy as np

from perf.simulations.ratios import cost_study, uplift_study
from perf.simulations.study import Row, number

OURS = "log-delta, pseudo-cases (ours)"


def coverages(rows: list[Row], method: str) -> list[float]:
    return [number(row, "coverage") for row in rows if row["method"] == method]


def test_the_interval_of_the_cost_of_pass_covers_where_the_bootstrap_does_not() -> None:
    rows = cost_study(np.random.default_rng(11), runs=200, quick=True).rows

    assert min(coverages(rows, OURS)) > 0.87
    assert np.mean(coverages(rows, OURS)) > 0.93
    assert min(coverages(rows, "bootstrap percentile")) < 0.7


def test_the_interval_of_an_uplift_covers_where_cases_that_agree_mislead_the_others() -> None:
    rows = uplift_study(np.random.default_rng(12), runs=200, quick=True).rows

    assert min(coverages(rows, OURS)) > 0.93
    for method in ("log-delta", "log-delta, unpaired", "Fieller"):
        assert min(coverages(rows, method)) < 0.3
