import numpy as np

from perf.simulations.stopping import stop_rule_study
from perf.simulations.study import Row, number


def of(rows: list[Row], report: str, quantity: str) -> list[Row]:
    return [row for row in rows if (row["report"], row["quantity"]) == (report, quantity)]


def test_a_declared_stop_rule_is_no_longer_seen_in_the_numbers() -> None:
    rows = stop_rule_study(np.random.default_rng(3), runs=12, cases=60).rows

    for quantity in ("pass rate", "score"):
        assert max(abs(number(row, "bias")) for row in of(rows, "declared", quantity)) < 0.07
        assert max(abs(number(row, "bias")) for row in of(rows, "not declared", quantity)) > 0.07
    for quantity in ("pass rate", "score", "cost of pass", "uplift"):
        found = of(rows, "declared", quantity)
        assert np.mean([number(row, "coverage") for row in found]) > 0.88
    hidden = of(rows, "not declared", "cost of pass")
    assert np.mean([number(row, "coverage") for row in hidden]) < 0.75
