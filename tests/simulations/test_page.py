import numpy as np

from perf.simulations.page import interval_study
from perf.simulations.study import number


def test_every_interval_of_a_page_holds_its_truth_nearly_always() -> None:
    rows = interval_study(np.random.default_rng(7), runs=40, sizes=(5, 20)).rows

    names = {row["interval"] for row in rows}
    assert {"pass@1, re-run", "pass^3", "score", "mean of suites", "cost of pass", "uplift"} < names
    for name in names:
        # 240 reports each: at a true 95 % a share below 90 % is rarer than once in a thousand.
        assert np.mean([number(row, "coverage") for row in rows if row["interval"] == name]) > 0.9, name
