"""A report of samples that a stop rule ended: every number is corrected, or null with the reason."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Report
from steelyard.render.csv import CsvRenderer
from steelyard.render.html.renderer import HtmlRenderer
from steelyard.render.json import JsonRenderer
from steelyard.render.text import TextRenderer
from tests.analysis.counted import reported

RULE = "maximum=3,passes=1"
# One case passes at once, one at its second sample, one never: of the first samples one in three passes.
HEADER = "model,tier,case,attempt,passed,cost_usd,latency_s\n"
ROWS = (
    "m,{tier},at-once,0,true,0.30,1\n"
    "m,{tier},second,0,false,0.10,1\nm,{tier},second,1,true,0.50,1\n"
    "m,{tier},never,0,false,0.20,1\nm,{tier},never,1,false,0.20,1\nm,{tier},never,2,false,0.20,1\n"
)
ONE_TIER, TWO_TIERS = (
    HEADER + ROWS.format(tier="T0"),
    HEADER + ROWS.format(tier="T0") + ROWS.format(tier="T1"),
)


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return reported(tmp_path, ONE_TIER, stop_rule=RULE)


def is_biased(estimate: Estimate | None) -> bool:
    return estimate is not None and (estimate.value, estimate.reason) == (None, Reason.OPTIONAL_STOPPING)


def test_rates_scores_and_suites_count_paths_and_not_samples(report: Report) -> None:
    subject, (suite,) = report.subjects[0], report.suites

    for found in (
        subject.pass_rate,
        subject.score,
        subject.overall.macro,
        subject.overall.pooled,
        suite.accuracy,
        suite.score,
    ):
        assert found.value == pytest.approx(1 / 3)
    assert subject.score.intervals == subject.pass_at_k[0].estimate.intervals
    assert {case.case: case.mean_score for case in report.cases} == {"at-once": 1, "second": 0, "never": 0}


def test_the_cost_of_pass_is_the_cost_of_a_first_sample_by_their_pass_rate(report: Report) -> None:
    subject = report.subjects[0]

    assert subject.total_cost_usd.value == pytest.approx(1.5)
    assert subject.cost_of_pass is not None
    assert subject.cost_of_pass.value == pytest.approx((0.3 + 0.1 + 0.2) / 1)
    assert subject.cost_of_pass.interval is not None


def test_the_cost_of_pass_falls_as_more_cases_pass_at_once(tmp_path: Path) -> None:
    easy = "m,T0,easy,0,true,0.60,1\n"

    cost = reported(tmp_path, ONE_TIER + easy, stop_rule=RULE).subjects[0].cost_of_pass

    assert cost is not None
    assert cost.value == pytest.approx((0.3 + 0.1 + 0.2 + 0.6) / 2)


def test_what_cannot_be_corrected_is_null_with_the_reason(report: Report) -> None:
    subject = report.subjects[0]

    assert is_biased(subject.pass_hat_k[0].estimate)
    assert is_biased(subject.latency_p95_s)
    for spread in (subject.spreads.pass_rate, subject.spreads.score, subject.spreads.cost_usd):
        assert (spread.median, spread.mean, spread.reason) == (None, None, Reason.OPTIONAL_STOPPING)
    assert subject.flakiness.flaky_fraction is None
    assert (subject.standing, subject.runs, report.frontier) == (None, None, None)


def test_passes_that_all_came_late_leave_the_cost_of_pass_open(tmp_path: Path) -> None:
    late = HEADER + "m,T0,a,0,false,1,1\nm,T0,a,1,true,1,1\n"

    found = reported(tmp_path, late, stop_rule=RULE)

    cost = found.subjects[0].cost_of_pass
    assert cost is not None
    assert (cost.value, cost.infinite, cost.interval) == (None, False, None)
    assert "cost of pass: not defined, sampling stopped at" in TextRenderer().render(found)


def test_without_a_pass_the_cost_of_pass_is_infinite_as_ever(tmp_path: Path) -> None:
    none = HEADER + "".join(f"m,T0,a,{attempt},false,1,1\n" for attempt in range(3))

    cost = reported(tmp_path, none, stop_rule=RULE).subjects[0].cost_of_pass

    assert cost is not None
    assert cost.infinite


def test_a_case_left_open_voids_every_mean(tmp_path: Path) -> None:
    subject = reported(tmp_path, ONE_TIER, stop_rule="maximum=4,passes=1").subjects[0]

    for found in (subject.pass_rate, subject.score, subject.overall.macro, subject.overall.pooled):
        assert is_biased(found)
        assert found.detail == "1 of 3 cases left before the stop rule ended them"
    assert subject.cost_of_pass is not None
    assert subject.cost_of_pass.value is None


def test_tiers_are_compared_by_corrected_means_and_not_by_medians(tmp_path: Path) -> None:
    found = reported(tmp_path, TWO_TIERS, stop_rule=RULE)

    uplift = found.subjects[1].uplift
    assert uplift is not None
    assert uplift.of_mean.value == 0
    assert is_biased(uplift.of_median)
    assert is_biased(found.tiers[0].pass_rate_variance)
    assert is_biased(found.tiers[0].cost_variance)


def test_every_format_shows_the_corrected_numbers(report: Report) -> None:
    text = TextRenderer().render(report)
    (row,) = csv.DictReader(StringIO(CsvRenderer().render(report)))
    kept = json.loads(JsonRenderer().render(report))["subjects"][0]
    page = HtmlRenderer(curves=pass_at_k_curves).render(report)

    assert text.startswith("m passes 33 % of 3 cases.")
    assert "flakiness: not defined with a stop rule, which changes the number of samples" in text
    assert "the stop rule drew hard cases more often" in text
    assert float(row["score"]) == pytest.approx(1 / 3)
    assert not row["pass^1"]
    assert kept["score"]["value"] == pytest.approx(1 / 3)
    assert kept["pass_hat_k"][0]["estimate"]["reason"] == "optional_stopping"
    assert "0.3333" in page
    assert "0.5000" not in page
