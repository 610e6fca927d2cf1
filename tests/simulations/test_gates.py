import numpy as np
import pytest

from perf.simulations.gate_rules import OURS, RIVALS
from perf.simulations.gates import QUIET, gate_rows
from perf.simulations.populations import GATE_POPULATIONS, U_SHAPED, Population
from perf.simulations.study import Row, number

# Rows are measured once for all tests below: 80 comparisons a scenario, 160 without a change.
RUNS = 80


@pytest.fixture(scope="module")
def five_samples() -> list[Row]:
    return gate_rows(U_SHAPED, n=5, runs=RUNS, rng=np.random.default_rng(8))


def alarms(rows: list[Row], rule: str, scenario: str) -> float:
    return next(number(row, "alarms") for row in rows if (row["rule"], row["scenario"]) == (rule, scenario))


@pytest.mark.parametrize("rule", OURS)
def test_our_gates_stay_quiet_when_nothing_changed(five_samples: list[Row], rule: str) -> None:
    assert alarms(five_samples, rule, QUIET) <= 0.08


@pytest.mark.parametrize("rule", OURS)
def test_our_gates_see_five_points(five_samples: list[Row], rule: str) -> None:
    assert alarms(five_samples, rule, "-5 points") > 0.72


def test_one_look_sees_one_broken_case_two_times_in_three(five_samples: list[Row]) -> None:
    # 72 % are expected; three standard errors of 80 comparisons below.
    assert alarms(five_samples, "ours, one-shot", "1 broken") > 0.56


def test_the_second_stage_sees_one_broken_case(five_samples: list[Row]) -> None:
    assert alarms(five_samples, "ours, confirm", "1 broken") > 0.96


def test_the_threshold_rule_cries_wolf_every_time(five_samples: list[Row]) -> None:
    assert alarms(five_samples, "any case down > .05", QUIET) == 1


def test_the_paired_t_test_hardly_sees_one_broken_case(five_samples: list[Row]) -> None:
    assert alarms(five_samples, "paired t", "1 broken") < 0.25


@pytest.mark.parametrize("population", GATE_POPULATIONS, ids=lambda population: population.name)
def test_from_single_samples_the_second_stage_still_sees_one_broken_case(population: Population) -> None:
    rows = gate_rows(population, n=1, runs=40, rng=np.random.default_rng(9))

    assert alarms(rows, "ours, confirm", "1 broken") > 0.9
    assert alarms(rows, "ours, confirm", QUIET) <= 0.1


def test_equalised_rivals_raise_no_more_false_alarms_than_we_do(five_samples: list[Row]) -> None:
    ours = alarms(five_samples, "ours, one-shot", QUIET)

    for rule in RIVALS:
        assert alarms(five_samples, f"{rule} (equal false alarms)", QUIET) <= ours + 1e-9
