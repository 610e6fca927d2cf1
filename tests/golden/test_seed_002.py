"""Seed 002, the ProjectScylla metrics page: its examples, in Python and on the command line."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import steelyard
from steelyard.metrics.cost import SEED_PRICES
from steelyard.metrics.summaries import population_variance
from steelyard.metrics.tiers import cost_variance, pass_rate_variance
from tests.commands import Json, scored, typed, written

HEADER = "agent_model,tier,case,run_number,passed,impl_rate,cost_usd,duration_seconds\n"
PASS_RATES = [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
TIERS = {"T0": "0.70", "T1": "0.80", "T2": "0.85", "T3": "0.90"}
UPLIFTS = {"T1": 0.143, "T2": 0.214, "T3": 0.286}


def test_example_1_a_single_run_in_python() -> None:
    composite = steelyard.composite_score(pass_rate=1, impl_rate=0.85)

    assert steelyard.cost_of_pass(cost=0.50, pass_rate=1) == Fraction(1, 2)
    assert composite == Fraction(925, 1000)
    assert steelyard.letter_grade(composite) == "B"


def test_example_1_a_single_run_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = scored(capsys, written(tmp_path, HEADER + "m,T0,c,1,True,0.85,0.50,60\n"))["subjects"][0]

    assert subject["pass_rate"]["value"] == 1.0
    assert subject["spreads"]["impl_rate"]["median"] == 0.85
    assert subject["cost_of_pass"]["value"] == 0.5
    assert subject["score"]["value"] == 0.925
    assert subject["grade"]["letter"] == "B"


def test_a_run_that_fails_has_an_infinite_cost_of_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = scored(capsys, written(tmp_path, HEADER + "m,T0,c,1,False,0.85,0.50,60\n"))["subjects"][0]

    assert steelyard.cost_of_pass(cost=0.50, pass_rate=0) is None
    assert subject["cost_of_pass"]["infinite"] is True
    assert subject["score"]["value"] == 0.425


def test_example_2_ten_runs_in_python() -> None:
    found = steelyard.statistics(PASS_RATES)

    assert (found.median, found.mean, found.mode) == (1.0, 0.8, 1.0)
    assert (found.min, found.max, found.std_dev, found.count) == (0.0, 1.0, 0.4, 10)


def test_example_2_ten_runs_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"m,T0,c,{run},{rate == 1},0.5,0.10,60\n" for run, rate in enumerate(PASS_RATES))

    spread = scored(capsys, written(tmp_path, HEADER + rows))["subjects"][0]["spreads"]["pass_rate"]

    assert (spread["median"], spread["mean"], spread["mode"]) == (1.0, 0.8, 1.0)
    assert (spread["min"], spread["max"], spread["std_dev"], spread["count"]) == (0.0, 1.0, 0.4, 10)


def test_example_3_uplifts_and_variance_in_python() -> None:
    uplifts = {
        tier: steelyard.tier_uplift(tier=median, baseline=TIERS["T0"]).value
        for tier, median in TIERS.items()
        if tier != "T0"
    }
    variance = population_variance(TIERS.values())

    assert uplifts == pytest.approx(UPLIFTS, abs=5e-4)
    assert variance == Fraction(7, 1280)
    assert float(variance) == pytest.approx(0.00547, abs=5e-6)


def tiers_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> Json:
    """Score one run in each tier, whose composite is that of the page: (1 + impl_rate) / 2."""
    rows = "".join(
        f"m,{tier},c,1,True,{2 * Decimal(median) - 1},{cost},60\n"
        for (tier, median), cost in zip(TIERS.items(), ("0.50", "1.00", "1.00", "2.50"), strict=True)
    )
    return scored(capsys, written(folder, HEADER + rows))


def test_example_3_uplifts_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subjects = tiers_report(tmp_path, capsys)["subjects"]

    medians = {subject["tier"]: subject["spreads"]["score"]["median"] for subject in subjects}
    uplifts = {
        subject["tier"]: subject["uplift"]["of_median"]["value"] for subject in subjects if subject["uplift"]
    }
    assert medians == {tier: float(median) for tier, median in TIERS.items()}
    assert uplifts == pytest.approx(UPLIFTS, abs=5e-4)


def test_the_spread_of_tiers_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (spread,) = tiers_report(tmp_path, capsys)["tiers"]

    assert spread["tiers"] == list(TIERS)
    assert spread["pass_rate_variance"]["value"] == 0.0
    assert spread["cost_variance"]["value"] == float(population_variance(["0.5", "1", "1", "2.5"]) or 0)
    assert spread["cost_delta_usd"]["value"] == 2.0


def test_the_uplift_example_beside_the_formula() -> None:
    assert steelyard.tier_uplift(tier=0.90, baseline=0.75).value == 0.2


def test_the_variances_of_the_page_take_one_median_for_each_tier() -> None:
    assert pass_rate_variance([1, 0, 1, 0]) == Fraction(1, 4)
    assert cost_variance(["0.50", "1.50"]) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("model", "dollars"), [("claude-opus-4.5", 90), ("claude-sonnet-4", 18), ("gpt-4o", 20)]
)
def test_the_price_table_of_the_page(model: str, dollars: int) -> None:
    found = steelyard.cost_usd(input_tokens=10**6, output_tokens=10**6, price=SEED_PRICES[model])

    assert found == dollars


@pytest.mark.parametrize(
    ("score", "letter"), [(0.95, "A"), (0.85, "B"), (0.75, "C"), (0.65, "D"), (0.64, "F")]
)
def test_the_grade_table_of_the_page(score: float, letter: str) -> None:
    assert steelyard.letter_grade(score) == letter


def test_the_text_report_shows_tiers_grades_and_costs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiers_report(tmp_path, capsys)

    shown = typed(capsys, "score", tmp_path / "outcomes.csv", "--details")

    assert "+14.3 %" in shown.out
    assert "+28.6 %" in shown.out
    assert "$2.00" in shown.out
