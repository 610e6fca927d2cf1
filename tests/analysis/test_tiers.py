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
