"""Edges of money: infinite costs of a pass, costs of a group, and prices nobody knows."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from tests.commands import scored, typed, written
from tests.input.scoring import report_of, subject_of

HEADER = "model,case,attempt,passed,cost_usd\n"
NO_PASS = HEADER + "".join(f"a,c{place},0,False,0.50\n" for place in range(10))
FOUR_OF_TEN = HEADER + "".join(f"a,c{place},0,{place < 4},0.50\n" for place in range(10))


def test_the_cost_of_pass_without_a_pass_is_infinite_in_json_without_an_infinity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cost = scored(capsys, written(tmp_path, NO_PASS))["subjects"][0]["cost_of_pass"]

    assert (cost["value"], cost["infinite"]) == (None, True)
    assert cost["lower_bound"] == pytest.approx(0.50 / (1 - 0.05 ** (1 / 10)))


def test_the_cost_of_pass_without_a_pass_is_shown_as_the_least_it_may_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "score", written(tmp_path, NO_PASS), "--details")

    assert "≥ $1.93 (0 of 10 passed)" in shown.out
    assert "inf" not in shown.out.lower().replace("infinite", "")


def test_the_cost_of_pass_of_one_run_is_infinite_without_a_number() -> None:
    assert steelyard.cost_of_pass(cost="0.50", pass_rate=0) is None


def test_the_cost_of_pass_of_a_group_is_its_total_cost_over_its_passes(tmp_path: Path) -> None:
    cost = subject_of(report_of(tmp_path, FOUR_OF_TEN)).cost_of_pass

    assert cost is not None
    assert (cost.value, cost.infinite) == (1.25, False)


def test_a_sample_without_a_price_makes_the_total_unknown_and_is_flagged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = scored(capsys, written(tmp_path, HEADER + "a,c,0,True,0.5\na,c,1,True,\n"))

    subject = report["subjects"][0]
    assert (subject["total_cost_usd"]["value"], subject["cost_of_pass"]) == (None, None)
    assert subject["total_cost_usd"]["reason"] == "partly_measured"
    assert subject["unpriced_samples"] == 1
    assert any("known cost" in warning for warning in report["warnings"])


def test_costs_that_nobody_measured_are_null_with_the_reason(tmp_path: Path) -> None:
    subject = subject_of(report_of(tmp_path, "model,case,attempt,passed\na,c,0,True\n"))

    assert (subject.total_cost_usd.value, subject.total_cost_usd.reason) == (None, Reason.NOT_MEASURED)
    assert subject.unpriced_samples == 0
