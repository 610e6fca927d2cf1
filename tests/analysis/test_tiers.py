"""How much better a tier is than the baseline tier: number and interval over the same cases."""

import json
from pathlib import Path

import pytest

from steelyard.model.estimate import Reason
from steelyard.model.report import Report, Uplift
from steelyard.render.json import JsonRenderer
from steelyard.render.text import TextRenderer
from tests.analysis.counted import reported

HEADER = "model,tier,case,attempt,passed\n"


def rows(tier: str, case: str, passes: int, samples: int = 4) -> str:
    """Return so many samples of a case, the passes first."""
    return "".join(f"m,{tier},{case},{place},{place < passes}\n" for place in range(samples))


# The baseline has three more cases, all of them hard; the tier never tried those.
SHARED = "".join(
    rows("T0", f"c{place}", 4) + rows("T1", f"c{place}", passes) for place, passes in enumerate((4, 3, 4, 4))
)
PARTLY_SHARED = HEADER + SHARED + "".join(rows("T0", f"d{place}", 1) for place in range(3))


def uplift_of(report: Report) -> Uplift:
    uplift = report.subjects[1].uplift
    assert uplift is not None
    return uplift


def test_the_uplift_lies_in_its_interval_where_tiers_have_different_cases(tmp_path: Path) -> None:
    uplift = uplift_of(reported(tmp_path, PARTLY_SHARED))
    (interval,) = uplift.of_mean.intervals

    assert uplift.of_mean.value == pytest.approx(-1 / 16)
    assert uplift.points.value == pytest.approx(-1 / 16)
    assert uplift.cases == 4
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < -1 / 16 < interval.high


def test_medians_over_different_cases_are_not_compared(tmp_path: Path) -> None:
    report = reported(tmp_path, PARTLY_SHARED)
    runs = report.subjects[1].runs

    assert uplift_of(report).of_median.reason is Reason.OTHER_CASES
    assert runs is not None
    assert runs.uplift_of_median is not None
    assert runs.uplift_of_median.reason is Reason.OTHER_CASES


def test_text_and_json_say_over_which_cases_the_uplift_is(tmp_path: Path) -> None:
    report = reported(tmp_path, PARTLY_SHARED)
    kept = json.loads(JsonRenderer().render(report))["subjects"][1]["uplift"]

    text = TextRenderer().render(report)

    assert "uplift and points of m in T1: over the 4 cases that both tiers have" in text
    assert "-6.2 %" in text
    assert kept["cases"] == 4


def test_with_the_same_cases_nothing_needs_to_be_said(tmp_path: Path) -> None:
    report = reported(tmp_path, HEADER + SHARED)

    assert uplift_of(report).of_median.value == 0
    assert "that both tiers have" not in TextRenderer().render(report)


def test_tiers_without_a_shared_case_have_no_uplift(tmp_path: Path) -> None:
    uplift = uplift_of(reported(tmp_path, HEADER + rows("T0", "a", 4) + rows("T1", "b", 4)))

    assert (uplift.of_mean.reason, uplift.points.reason) == (Reason.NO_CASES, Reason.NO_CASES)
    assert uplift.of_mean.detail == "the tier shares no case with the baseline tier"


PRICED = "model,tier,case,attempt,passed,cost_usd\n"


def priced(tier: str, passes: int, costs: tuple[str, str, str], *, model: str = "m") -> str:
    """Return one case with three samples, the passes first, each with its cost or none."""
    return "".join(f"{model},{tier},c,{place},{place < passes},{cost}\n" for place, cost in enumerate(costs))


def test_a_single_tier_is_compared_with_nothing_whatever_its_name(tmp_path: Path) -> None:
    two = priced("T0", 3, ("1", "1", "1")) + priced("T1", 3, ("1", "1", "1"))
    report = reported(tmp_path, PRICED + two + priced("T1", 3, ("1", "1", "1"), model="lone"))

    lone = report.subjects[0]
    assert lone.runs is not None
    assert (lone.model, lone.uplift, lone.runs.uplift_of_median) == ("lone", None, None)
    assert [spread.model for spread in report.tiers] == ["m"]


def test_without_the_baseline_tier_every_uplift_says_so(tmp_path: Path) -> None:
    report = reported(tmp_path, HEADER + rows("T1", "c", 4) + rows("T2", "c", 4))

    for subject in report.subjects:
        assert subject.uplift is not None
        assert subject.runs is not None
        assert subject.runs.uplift_of_median is not None
        gaps = subject.uplift.of_mean, subject.uplift.of_median, subject.uplift.points
        assert {gap.reason for gap in (*gaps, subject.runs.uplift_of_median)} == {Reason.BASELINE_MISSING}


def test_tiers_are_as_far_apart_as_their_medians(tmp_path: Path) -> None:
    # Medians: passed in T0 and T1 and failed in T2; 1, 2 and 6 dollars.
    text = (
        priced("T0", 3, ("1", "1", "9")) + priced("T1", 2, ("2", "1", "3")) + priced("T2", 1, ("6", "6", "6"))
    )

    (spread,) = reported(tmp_path, PRICED + text).tiers

    assert spread.tiers == ("T0", "T1", "T2")
    assert spread.pass_rate_variance.value == pytest.approx(2 / 9)
    assert spread.cost_variance.value == pytest.approx(14 / 3)  # (2² + 1 + 3²) / 3
    assert spread.cost_delta_usd.value == 5
    assert spread.over_runs is not None
    assert spread.over_runs.cost_variance.value == pytest.approx(14 / 3)
    assert spread.over_runs.cost_delta_usd.value == 5


def test_a_tier_without_costs_voids_the_distance_of_costs_and_not_that_of_passes(tmp_path: Path) -> None:
    text = priced("T0", 3, ("1", "1", "1")) + priced("T1", 0, ("", "", "")) + priced("T2", 3, ("2", "2", "2"))

    (spread,) = reported(tmp_path, PRICED + text).tiers

    assert spread.over_runs is not None
    for found in (spread, spread.over_runs):
        assert found.pass_rate_variance.value == pytest.approx(2 / 9)
        assert (found.cost_variance.reason, found.cost_delta_usd.reason) == (Reason.NOT_MEASURED,) * 2


def test_a_shared_case_without_scores_leaves_an_uplift_with_the_reason(tmp_path: Path) -> None:
    header = "model,tier,case,attempt,passed,score\n"
    unscored, scored = "m,{},c,0,True,\n", "m,{},c,0,True,0.5\n"

    without_baseline = uplift_of(reported(tmp_path, header + unscored.format("T0") + scored.format("T1")))
    without_tier = uplift_of(reported(tmp_path, header + scored.format("T0") + unscored.format("T1")))

    without_both = uplift_of(reported(tmp_path, header + unscored.format("T0") + unscored.format("T1")))

    assert {without_baseline.of_mean.reason, without_baseline.points.reason} == {Reason.BASELINE_MISSING}
    assert {without_both.of_mean.reason, without_both.points.reason} == {Reason.BASELINE_MISSING}
    assert {without_tier.of_mean.reason, without_tier.points.reason} == {Reason.NOT_MEASURED}


def test_a_baseline_that_never_passes_leaves_points_and_no_share(tmp_path: Path) -> None:
    uplift = uplift_of(reported(tmp_path, HEADER + rows("T0", "c", 0) + rows("T1", "c", 3)))

    assert (uplift.of_mean.value, uplift.of_mean.reason) == (None, Reason.BASELINE_ZERO)
    assert uplift.points.value == 0.75


def test_a_tier_without_a_whole_run_leaves_no_distance_over_runs(tmp_path: Path) -> None:
    whole = "".join(f"m,{tier},{case},0,True\n" for tier in ("T0", "T1") for case in "ab")
    parts = "m,T2,a,0,True\nm,T2,b,1,False\n"

    (spread,) = reported(tmp_path, HEADER + whole + parts).tiers

    assert spread.over_runs is None
    assert spread.pass_rate_variance.value == pytest.approx(1 / 18)  # of the medians 1, 1 and 1/2
