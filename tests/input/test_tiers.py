"""Edges of uplift: a baseline of 0 or none at all."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from tests.commands import scored, written
from tests.input.scoring import report_of

HEADER = "model,tier,case,attempt,passed,score\n"


def test_uplift_over_a_baseline_of_0_is_null_with_the_reason_and_the_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, HEADER + "a,T0,c,0,False,0\na,T1,c,0,True,0.8\n")

    uplift = scored(capsys, path)["subjects"][1]["uplift"]

    for relative in (uplift["of_median"], uplift["of_mean"]):
        assert (relative["value"], relative["reason"]) == (None, "baseline_zero")
    assert uplift["points"]["value"] == 0.8


def test_uplift_without_a_baseline_tier_is_null_with_the_reason_and_a_warning(tmp_path: Path) -> None:
    report = report_of(tmp_path, HEADER + "a,T1,c,0,True,0.5\na,T2,c,0,True,0.8\n")

    for subject in report.subjects:
        assert subject.uplift is not None
        assert (subject.uplift.of_mean.value, subject.uplift.of_mean.reason) == (
            None,
            Reason.BASELINE_MISSING,
        )
    assert any("'T0' (tiers: T1, T2)" in warning for warning in report.warnings)


def test_another_baseline_tier_can_be_named(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(baseline_tier="T1")

    report = report_of(tmp_path, HEADER + "a,T1,c,0,True,0.5\na,T2,c,0,True,0.8\n", options=options)

    assert report.subjects[0].uplift is None
    assert report.subjects[1].uplift is not None
    assert report.subjects[1].uplift.of_mean.value == 0.6


def test_a_single_tier_has_no_uplift(tmp_path: Path) -> None:
    report = report_of(tmp_path, HEADER + "a,T0,c,0,True,1\n")

    assert report.subjects[0].uplift is None
    assert report.tiers == ()


@pytest.mark.parametrize("baseline", ["0", None])
def test_the_formula_gives_null_and_never_0_for_an_impossible_uplift(baseline: str | None) -> None:
    found = steelyard.tier_uplift(tier="0.9", baseline=baseline)

    assert found.value is None
    assert found.reason is not None
