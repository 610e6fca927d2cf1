"""How far a report's figures can be trusted."""

from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.analysis.matrix import matrix_of
from steelyard.errors import DomainError, UserError
from steelyard.model.estimate import Reason, Target
from steelyard.model.options import ReportOptions
from steelyard.model.outcome import Classification
from tests.analysis.runs import report_of, run


def _scored(folder: Path, text: str, **options: object) -> steelyard.Report:
    path = folder / "m_fixes.csv"
    path.write_text(text, encoding="utf-8")
    return steelyard.score_files([path], options=replace(ReportOptions(), **options))  # type: ignore[arg-type]


def test_pass_at_1_has_an_interval_for_new_cases_and_one_for_a_rerun() -> None:
    found = run([(10, 10), (10, 5), (10, 0)]).subjects[0].pass_at_k[0].estimate

    assert [interval.target for interval in found.intervals] == [Target.NEW_CASES, Target.RERUN]
    assert all((i.low or 0) <= (found.value or 0) <= (i.high or 0) for i in found.intervals)


def test_with_one_sample_a_case_no_interval_claims_to_hold_for_a_rerun() -> None:
    found = run([(1, 1), (1, 0)]).subjects[0].pass_at_k[0].estimate

    assert [interval.target for interval in found.intervals] == [Target.NEW_CASES]


def test_scores_suites_and_pass_hat_k_have_intervals_for_new_cases() -> None:
    subject = run([(10, 10), (10, 5), (10, 0)]).subjects[0]

    for found in (
        subject.score,
        subject.overall.macro,
        subject.overall.pooled,
        subject.pass_hat_k[0].estimate,
    ):
        assert [interval.target for interval in found.intervals] == [Target.NEW_CASES]


def test_an_undefined_number_has_no_interval() -> None:
    subject = run([(0, 0), (1, 1)], errors=2).subjects[0]

    assert subject.pass_at_k[0].estimate.intervals == ()
    assert subject.score.intervals == ()


def test_subjects_are_ranked_with_the_range_of_ranks() -> None:
    report = report_of({("good", "T0"): [(5, 5)] * 30, ("bad", "T0"): [(5, 0)] * 30})

    standing = {subject.model: subject.standing for subject in report.subjects}

    assert standing["good"] is not None
    assert (standing["good"].rank, standing["good"].rank_high, standing["good"].in_top_set) == (1, 1, True)
    assert standing["bad"] is not None
    assert not standing["bad"].in_top_set
    assert standing["bad"].on_front is None


def test_ranks_count_right_refusals_as_passes_as_a_matrix_does(tmp_path: Path) -> None:
    rows = [
        f"{model},c{case},{attempt},{kind}\n"
        for model, kind in (("complies", "pass"), ("refuses", "refusal"))
        for case in range(10)
        for attempt in range(5)
    ]
    text = "model,case,attempt,classification\n" + "".join(rows)
    kinds = {("default", f"c{case}"): Classification.REFUSAL for case in range(8)}

    found = _scored(tmp_path, text, expected_kinds=kinds)

    rates = {one.model: one.pass_rate for one in matrix_of(found).subjects}
    assert rates == {"refuses": 0.8, "complies": 0.2}
    ranks = {one.model: one.standing and one.standing.rank for one in found.subjects}
    assert ranks == {"refuses": 1, "complies": 2}
    assert [one.pass_rate.value for one in found.subjects] == [1.0, 0.0]  # as seed 004 defines it
    met = {one.model: one.expectation_met and one.expectation_met.value for one in found.subjects}
    assert met == rates


def test_a_single_subject_has_no_rank() -> None:
    assert run([(1, 1)]).subjects[0].standing is None


def test_subjects_without_a_common_case_are_not_ranked() -> None:
    report = report_of({("a", "T0"): [(1, 1), (0, 0)], ("b", "T0"): [(0, 0), (1, 1)]})

    assert [subject.standing for subject in report.subjects] == [None, None]


def test_flakiness_tells_chance_within_cases_from_difference_between_them() -> None:
    steady, flaky = run([(10, 10), (10, 0)]).subjects[0], run([(10, 5), (10, 5)]).subjects[0]

    assert (steady.flakiness.flip_rate, steady.flakiness.flaky_fraction) == (0, 0)
    assert (flaky.flakiness.flip_rate or 0) > 0.5


def test_costs_give_the_cost_of_a_pass_an_interval_and_the_front_its_chances(tmp_path: Path) -> None:
    rows = [
        f"{model},c{case},{attempt},{case % 3 < 2},{cost}"
        for model, cost in (("a", 0.01), ("b", 0.05))
        for case in range(9)
        for attempt in range(3)
    ]
    report = _scored(tmp_path, "model,case,attempt,passed,cost_usd\n" + "\n".join(rows) + "\n")

    cheap, dear = report.subjects

    assert cheap.cost_of_pass is not None
    assert cheap.cost_of_pass.interval is not None
    assert (cheap.cost_of_pass.interval.low or 0) < (cheap.cost_of_pass.value or 0)
    assert (cheap.standing.on_front, dear.standing.on_front) == (1.0, 0.0)  # type: ignore[union-attr]


def test_a_grade_comes_with_the_odds_of_every_letter(tmp_path: Path) -> None:
    scores = (0.7, 0.84, 0.86, 0.9, 0.97, 0.99)
    rows = "".join(f"m,c{place},0,True,{score}\n" for place, score in enumerate(scores))

    grade = _scored(tmp_path, "model,case,attempt,passed,score\n" + rows).subjects[0].grade

    assert grade.letter == "B"
    assert sum(grade.probabilities.values()) == pytest.approx(1)
    assert 0 < grade.probabilities["C"] < grade.probabilities["B"] < 1


def test_an_uplift_has_an_interval_over_the_shared_cases(tmp_path: Path) -> None:
    rows = [
        f"m,{tier},c{case},{attempt},{attempt < passes}"
        for tier, extra in (("T0", 0), ("T1", 2))
        for case, passes in enumerate((3 + extra, 4 + extra, 2 + extra, 5 + extra) * 6)
        for attempt in range(8)
    ]
    report = _scored(tmp_path, "model,tier,case,attempt,passed\n" + "\n".join(rows) + "\n")

    uplift = report.subjects[1].uplift

    assert uplift is not None
    assert uplift.of_mean.value == pytest.approx(8 / 14)
    assert (uplift.of_mean.intervals[0].low or 0) > 0


STOPPED = "case,attempt,passed\na,0,False\na,1,True\nb,0,True\nc,0,False\nc,1,False\nc,2,False\n"


def test_a_declared_stop_rule_takes_the_bias_out_of_pass_at_1(tmp_path: Path) -> None:
    found = _scored(tmp_path, STOPPED, stop_rule="maximum=3,passes=1").subjects[0]

    assert found.pass_at_k[0].estimate.value == pytest.approx(1 / 3)
    assert found.pass_hat_k[0].estimate.reason is Reason.OPTIONAL_STOPPING


def test_a_rule_that_ends_early_only_with_a_pass_tells_how_many_cases_pass_within_k(tmp_path: Path) -> None:
    found = _scored(tmp_path, STOPPED, stop_rule="maximum=3,passes=1", pass_k=(1, 2, 3)).subjects[0]

    assert [one.estimate.value for one in found.pass_at_k] == pytest.approx([1 / 3, 2 / 3, 2 / 3])


def test_pass_at_k_is_null_when_the_rule_can_stop_before_k_without_a_pass(tmp_path: Path) -> None:
    rows = "case,attempt,passed\na,0,True\na,1,False\nb,0,False\nc,0,True\nc,1,True\nc,2,True\n"
    report = _scored(tmp_path, rows, stop_rule="maximum=3,failures=1", pass_k=(2,))

    assert report.subjects[0].pass_at_k[0].estimate.reason is Reason.OPTIONAL_STOPPING
    assert report.cases[0].pass_at_k[0].estimate.reason is Reason.OPTIONAL_STOPPING
    assert report.settings.stop_rule == "maximum=3,failures=1"


def test_a_case_left_before_the_rule_ended_it_has_no_pass_at_k_and_neither_has_the_mean(
    tmp_path: Path,
) -> None:
    report = _scored(tmp_path, STOPPED, stop_rule="maximum=4,passes=1")

    of_case = {case.case: case.pass_at_k[0].estimate for case in report.cases}
    assert (of_case["a"].value, of_case["b"].value) == (0.0, 1.0)
    assert of_case["c"].reason is Reason.OPTIONAL_STOPPING
    assert of_case["c"].detail == "left after 3, before the stop rule ended it"
    assert (
        report.subjects[0].pass_at_k[0].estimate.detail == "1 of 3 cases left before the stop rule ended them"
    )


def test_a_case_that_the_rule_cannot_have_led_to_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"stop.*0.*3"):
        _scored(tmp_path, STOPPED, stop_rule="maximum=3,failures=1")


@pytest.mark.parametrize("rule", ["passes=1", "maximum=x", "maximum=3,first=1", "maximum"])
def test_a_stop_rule_that_cannot_be_read_is_refused(tmp_path: Path, rule: str) -> None:
    with pytest.raises(UserError, match="`stop_rule="):
        _scored(tmp_path, STOPPED, stop_rule=rule)


def test_without_a_pass_a_case_that_only_errored_is_no_trial(tmp_path: Path) -> None:
    rows = [f"a,c{case},0,{'fail' if case < 5 else 'error'},1" for case in range(10)]
    report = _scored(tmp_path, "model,case,attempt,classification,cost_usd\n" + "\n".join(rows) + "\n")

    cost = report.subjects[0].cost_of_pass

    assert cost is not None
    assert cost.interval is not None
    assert cost.interval.low == pytest.approx(cost.lower_bound)


@pytest.mark.parametrize("level", [0.8, 0.99])
def test_without_a_pass_bound_and_interval_are_at_the_level_of_the_report(
    tmp_path: Path, level: float
) -> None:
    rows = "".join(f"a,c{case},{run},0,1\n" for case in range(10) for run in range(2))
    [subject] = _scored(tmp_path, "model,case,attempt,passed,cost_usd\n" + rows, level=level).subjects

    assert subject.cost_of_pass is not None
    assert subject.cost_of_pass.interval is not None
    assert subject.cost_of_pass.lower_bound == pytest.approx(1 / (1 - (1 - level) ** 0.1))
    assert subject.cost_of_pass.interval.low == pytest.approx(subject.cost_of_pass.lower_bound)
    assert subject.runs is not None
    bounds = [run.cost_of_pass.lower_bound for run in subject.runs.runs if run.cost_of_pass is not None]
    assert bounds == [pytest.approx(1 / (1 - (1 - level) ** 0.1))] * 2
