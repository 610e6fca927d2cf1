"""The gate and the interval allow for clusters, at a small size."""

import numpy as np

from perf.simulations.clusters import Setting, cluster_row
from perf.simulations.study import number


def test_known_clusters_raise_no_false_alarms_and_unknown_ones_do() -> None:
    known, unknown = (
        cluster_row(Setting("one-shot", 10, "no change", known=is_known, runs=20), np.random.default_rng(8))
        for is_known in (True, False)
    )

    assert number(known, "fails") <= 0.15
    assert number(known, "covers") >= 0.8
    assert number(unknown, "covers") < number(known, "covers")
