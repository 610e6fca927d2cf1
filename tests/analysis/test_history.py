"""Kept baselines in the order of time."""

from dataclasses import replace

import pytest

from steelyard.analysis.history import history_of
from steelyard.errors import DomainError, UserError
from steelyard.model.baseline import Baseline
from steelyard.model.options import Errors
from steelyard.model.report import Report
from tests.analysis.runs import report_of, run

HIGH, LOW = [(10, 9)] * 12, [(10, 5)] * 12


def kept(name: str, report: Report, *, day: int) -> Baseline:
    return Baseline(
        name=name, kept_at=f"2026-11-{day:02d}T00:00:00Z", source="here", note=None, report=report
    )


def test_baselines_are_followed_in_the_order_of_time_whatever_their_names() -> None:
    [subject] = history_of([kept("a", run(LOW), day=9), kept("z", run(HIGH), day=1)]).subjects

    assert [entry.name for entry in subject.entries] == ["z", "a"]
    assert [entry.pass_rate.value for entry in subject.entries] == pytest.approx([0.9, 0.5])
    assert subject.change_point is not None
    assert subject.change_point.first == 1
    assert subject.change_point.change == pytest.approx(-0.4)
    assert subject.change_point.is_shown


def test_subjects_share_the_error() -> None:
    before, after = [(10, 6)] * 12, [(10, 5)] * 12
    alone = history_of([kept("a", run(before), day=1), kept("b", run(after), day=2)]).subjects[0]
    two = [
        kept("a", report_of({("m", "T0"): before, ("n", "T0"): before}), day=1),
        kept("b", report_of({("m", "T0"): after, ("n", "T0"): after}), day=2),
    ]

    together = history_of(two).subjects[0]

    assert alone.change_point is not None
    assert together.change_point is not None
    assert together.change_point.p == pytest.approx(2 * alone.change_point.p)


def test_only_cases_that_all_baselines_have_in_the_same_version_are_followed() -> None:
    first, second, third, *others = run(HIGH).cases
    changed = replace(run(HIGH), cases=(replace(first, digest="new"), replace(second, n=0, c=0), *others))

    [subject] = history_of([kept("a", run(HIGH), day=1), kept("b", changed, day=2)]).subjects

    assert third.case == "case-002"
    assert subject.cases == 9


def test_a_baseline_without_the_subject_is_left_out_of_its_history() -> None:
    found = history_of(
        [kept("a", run(HIGH), day=1), kept("b", run(HIGH, model="n"), day=2), kept("c", run(LOW), day=3)]
    )

    by_model = {subject.model: subject for subject in found.subjects}
    assert [entry.name for entry in by_model["m"].entries] == ["a", "c"]
    assert by_model["n"].change_point is None


def test_baselines_without_a_common_case_have_no_history() -> None:
    other = run(HIGH)
    renamed = replace(other, cases=tuple(replace(case, suite="other") for case in other.cases))

    [subject] = history_of([kept("a", other, day=1), kept("b", renamed, day=2)]).subjects

    assert (subject.cases, subject.entries, subject.change_point) == (0, (), None)


def test_samples_that_were_kept_under_several_names_count_once() -> None:
    once = history_of([kept("a", run(HIGH), day=1), kept("b", run(LOW), day=4)]).subjects[0].change_point
    names = [("a", HIGH, 1), ("a-again", HIGH, 2), ("b", LOW, 4), ("b-again", LOW, 5)]

    often = history_of([kept(name, run(counts), day=day) for name, counts, day in names]).subjects[0]

    assert once is not None
    assert often.change_point is not None
    assert often.change_point.p == once.p
    assert often.change_point.first == 2
    assert len(often.entries) == 4


def test_the_same_samples_in_reports_with_other_options_count_once() -> None:
    def other(report: Report) -> Report:
        return replace(report, cases=tuple(replace(case, pass_at_k=(), timed=None) for case in report.cases))

    runs = [run(HIGH), other(run(HIGH)), run(LOW), other(run(LOW))]
    once = history_of([kept("a", runs[0], day=1), kept("b", runs[2], day=4)]).subjects[0].change_point

    often = history_of([kept(str(day), one, day=day) for day, one in enumerate(runs, start=1)]).subjects[0]

    assert once is not None
    assert often.change_point is not None
    assert often.change_point.p == once.p


def test_one_run_under_two_names_has_no_change() -> None:
    [subject] = history_of([kept("a", run(HIGH), day=1), kept("b", run(HIGH), day=2)]).subjects

    assert subject.change_point is None


def test_baselines_that_count_errors_differently_have_no_history() -> None:
    other = run(HIGH)
    other = replace(other, settings=replace(other.settings, errors=Errors.FAIL))

    with pytest.raises(UserError, match="counts"):
        history_of([kept("a", run(HIGH), day=1), kept("b", other, day=2)])


def test_baselines_that_were_scored_by_different_rules_have_no_history() -> None:
    other = run(HIGH)
    scoring = replace(other.settings.scoring, version=other.settings.scoring.version + 1)
    other = replace(other, settings=replace(other.settings, scoring=scoring))

    with pytest.raises(UserError, match="scored"):
        history_of([kept("a", run(HIGH), day=1), kept("b", other, day=2)])


def test_a_right_refusal_is_a_pass_in_a_history() -> None:
    def refusing(passed: int) -> Report:
        report = run([(10, passed)] * 12)
        cases = tuple(replace(case, refused=10 - passed) for case in report.cases)
        return replace(report, cases=cases, expects_refusal=tuple((case.suite, case.case) for case in cases))

    [subject] = history_of([kept("a", refusing(0), day=1), kept("b", refusing(10), day=2)]).subjects

    assert [entry.pass_rate.value for entry in subject.entries] == [1.0, 0.0]


def test_a_baseline_of_another_model_does_not_change_what_a_right_refusal_is() -> None:
    def refusing(refused: int) -> Report:
        report = run([(10, 0)] * 12)
        cases = tuple(replace(case, refused=refused) for case in report.cases)
        return replace(report, cases=cases, expects_refusal=tuple((one.suite, one.case) for one in cases))

    own = [kept("a", refusing(10), day=1), kept("b", refusing(4), day=2)]

    found = history_of([*own, kept("c", run(HIGH, model="other"), day=3)]).subjects[0]

    assert [entry.pass_rate.value for entry in found.entries] == pytest.approx([1.0, 0.4])


def test_an_alpha_that_no_test_has_is_refused() -> None:
    with pytest.raises(DomainError, match="got 5"):
        history_of([kept("a", run(HIGH), day=1)], alpha=5)


def test_baselines_of_other_models_may_have_another_rule() -> None:
    other = run(HIGH, model="other")
    by_score = replace(
        other, settings=replace(other.settings, scoring=replace(other.settings.scoring, name="x"))
    )

    found = history_of([kept("a", run(HIGH), day=1), kept("b", by_score, day=2), kept("c", run(LOW), day=3)])

    assert [len(subject.entries) for subject in found.subjects] == [2, 1]
