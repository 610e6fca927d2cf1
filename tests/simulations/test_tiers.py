import numpy as np

from perf.simulations.study import number
from perf.simulations.tiers import QUANTITIES, WORLDS, report_study


def test_the_intervals_of_a_tier_report_cover_at_their_stated_rate() -> None:
    rows = report_study(np.random.default_rng(21), runs=100, sizes=((20, 10),)).rows

    assert len(rows) == len(WORLDS) * len(QUANTITIES)
    coverages = [number(row, "coverage") for row in rows]
    assert min(coverages) > 0.86  # three standard errors of a hundred runs below 95 %
    assert np.mean(coverages) > 0.92
    assert max(number(row, "open") for row in rows) < 0.05  # and they are not right for want of bounds


def test_the_true_effects_are_what_the_worlds_say() -> None:
    rows = report_study(np.random.default_rng(22), runs=1, sizes=((10, 2),)).rows

    uplifts = {row["world"]: number(row, "truth") for row in rows if row["quantity"] == "uplift"}
    assert abs(uplifts["no effect"]) < 0.02
    assert 0.1 < uplifts["a clear effect"] < 0.4
    costs = {row["quantity"]: number(row, "truth") for row in rows if row["world"] == "no effect"}
    assert costs["cost of pass, T1"] > 1.7 * costs["cost of pass, T0"]
