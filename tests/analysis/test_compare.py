"""Laying two reports side by side."""

from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.options import Scoring
from steelyard.model.report import Report
from tests.analysis.counted import reported
from tests.analysis.runs import run

HEADER = "model,case,attempt,passed,score\n"


def scores(folder: Path, model: str = "m", **cases: str) -> Report:
    """Return a report of one model with so many points for each case."""
    return reported(
        folder, HEADER + "".join(f"{model},{name},0,True,{score}\n" for name, score in cases.items())
    )


def compared(before: Report, after: Report, threshold: str = "0.05") -> Comparison:
    """Compare two reports."""
    return steelyard.compare_reports(before, after, threshold=threshold)


def test_changes_come_worst_and_best_first(tmp_path: Path) -> None:
    before = scores(tmp_path, a="1", b="1", c="0", d="0", e="0.5")
    after = scores(tmp_path, a="0.9", b="0.1", c="0.2", d="0.9", e="0.5")

    found = compared(before, after)

    assert [(change.case, change.delta) for change in found.regressions] == [("b", -0.9), ("a", -0.1)]
    assert [(change.case, change.delta) for change in found.improvements] == [("d", 0.9), ("c", 0.2)]
    assert found.unchanged == 1


def test_a_change_states_both_scores(tmp_path: Path) -> None:
    (change,) = compared(scores(tmp_path, a="1"), scores(tmp_path, a="0.25")).regressions

    assert (change.baseline_score, change.current_score, change.delta) == (1.0, 0.25, -0.75)


@pytest.mark.parametrize(("threshold", "regressions"), [("0", 1), ("0.099998", 1), ("0.1", 0), ("1", 0)])
def test_the_threshold_is_strict(tmp_path: Path, threshold: str, regressions: int) -> None:
    found = compared(scores(tmp_path, a="0.9"), scores(tmp_path, a="0.8"), threshold)

    assert len(found.regressions) == regressions
    assert found.threshold == float(threshold)


@pytest.mark.parametrize("threshold", ["-0.1", "1.1"])
def test_a_threshold_outside_0_to_1_is_refused(tmp_path: Path, threshold: str) -> None:
    report = scores(tmp_path, a="1")

    with pytest.raises(UserError, match="`threshold`"):
        compared(report, report, threshold)


def test_reports_by_different_rules_are_not_compared(tmp_path: Path) -> None:
    report = scores(tmp_path, a="1")
    other = replace(
        report,
        settings=replace(report.settings, scoring=Scoring(name="given", version=2, parameters={"x": "1"})),
    )

    with pytest.raises(
        UserError, match=r"given version 1 with no parameters; given version 2 with \{'x': '1'\}"
    ):
        compared(report, other)


def test_a_report_beside_itself_has_no_changes(tmp_path: Path) -> None:
    report = scores(tmp_path, a="1", b="0.5")

    found = compared(report, report)

    assert (found.regressions, found.improvements, found.unchanged) == ((), (), 2)
    assert not found.is_missing_cases


def test_a_missing_case_is_without_evidence_and_not_a_regression(tmp_path: Path) -> None:
    text = "model,case,attempt,passed\nm,c,0,True\nm,d,0,True\nn,c,0,True\nn,d,0,True\n"
    before = reported(tmp_path, text)
    after = reported(tmp_path, text.replace("n,d,0,True\n", ""))

    found = compared(before, after)

    assert [(case.model, case.case) for case in found.without_evidence] == [("n", "d")]
    assert found.regressions == ()
    assert found.is_missing_cases


def test_single_subjects_are_a_pair_whatever_their_names(tmp_path: Path) -> None:
    found = compared(scores(tmp_path, model="old", a="1"), scores(tmp_path, model="new", a="0.5"))

    assert [change.model for change in found.regressions] == ["new"]


def test_subjects_that_only_one_report_has_are_listed_by_their_cases(tmp_path: Path) -> None:
    text = HEADER + "m,a,0,True,1\n{},b,0,True,1\n"

    found = compared(reported(tmp_path, text.format("gone")), reported(tmp_path, text.format("fresh")))

    assert {(case.model, case.case) for case in found.removed_cases if case.model != "m"} >= {("gone", "b")}
    assert {(case.model, case.case) for case in found.new_cases if case.model != "m"} >= {("fresh", "b")}


def test_scores_are_tested_where_they_say_more_than_passes(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(9)]
    before, after = (scores(tmp_path, **dict.fromkeys(names, score)) for score in ("0.9", "0.5"))

    [subject] = compared(before, after).subjects

    assert (subject.worse, subject.p_drop) == (0, 1.0)
    assert (subject.score_worse, subject.score_better) == (9, 0)
    assert subject.p_score is not None
    assert subject.p_score < 0.01
    [same] = compared(before, before).subjects
    assert (same.p_score, same.score_worse, same.score_better) == (None, 0, 0)
    [better] = compared(after, before).subjects
    assert (better.p_score, better.score_better) == (1.0, 9)


def test_an_improvement_is_tested_like_a_drop_with_the_reports_exchanged() -> None:
    low, high = run([(5, 0), *[(5, 3)] * 19]), run([(5, 5), *[(5, 3)] * 19])

    rise, drop = steelyard.compare_reports(low, high), steelyard.compare_reports(high, low)

    assert rise.subjects[0].p_rise == drop.subjects[0].p_drop
    assert rise.subjects[0].p_drop == drop.subjects[0].p_rise
    assert [change.p_rise for change in rise.improvements] == [change.p_drop for change in drop.regressions]
    assert [change.stands_out for change in rise.improvements] == [True]
    assert [change.stands_out for change in drop.regressions] == [True]


def test_an_improvement_that_noise_explains_does_not_stand_out() -> None:
    [change] = steelyard.compare_reports(
        run([(5, 2), *[(5, 3)] * 9]), run([(5, 4), *[(5, 3)] * 9])
    ).improvements

    assert not change.stands_out
    assert change.p_rise is not None
    assert change.p_rise > 0.1


def test_a_rise_of_the_score_is_tested_where_scores_say_more() -> None:
    low, high = run([(5, 5)] * 30), run([(5, 5)] * 30)
    lower = replace(
        low,
        cases=tuple(
            replace(case, score_sum_micro=2_500_000, score_sq_micro=1_250_000_000_000, mean_score=0.5)
            for case in low.cases
        ),
    )

    [found] = steelyard.compare_reports(lower, high).subjects

    assert found.p_rise == 1.0
    assert found.p_score_rise is not None
    assert found.p_score_rise < 0.001
    assert found.p_score is not None
    assert found.p_score > 0.9
