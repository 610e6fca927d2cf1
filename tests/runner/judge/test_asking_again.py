"""A kept reply answers only the question that was asked, and one that cannot be used is asked for again."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from steelyard.app.report import report_run
from steelyard.model.case import Expectations
from steelyard.model.evalset import EvalSet
from steelyard.model.request import Parameters, Request
from tests.checks.rubrics import ONCE, PLAIN
from tests.runner.judge.judged_session import (
    CASES,
    JUDGE_COST,
    PLAN,
    SAMPLES,
    SET,
    Company,
    began,
    case,
    judgements,
    kinds,
    regraded,
    went_on,
)

TOTAL = CASES * SAMPLES
TRIES = 2
PROOF = TRIES  # a known answer is shown to a judge that is of no use, once for all samples of its case


def with_parameters(**parameters: float) -> EvalSet:
    return replace(SET, judge=replace(PLAN, parameters=Parameters(**parameters)))  # type: ignore[arg-type]


COLD, WARM = with_parameters(temperature=0.0), with_parameters(temperature=1.0)


def temperatures(company: Company) -> Sequence[float | None]:
    return [request.parameters.temperature for request in company.judged]


def test_other_parameters_are_another_question_to_the_judge(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), COLD)
    company = Company(lambda _: 1)

    done = regraded(tmp_path / "r", company, WARM)

    assert (done.checked, done.is_in_place) == (TOTAL, True)
    assert temperatures(company) == [1.0] * TOTAL
    assert report_run(tmp_path / "r").subjects[0].spreads.impl_rate.mean == 1


def test_a_judge_that_may_write_more_is_asked_again(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(lambda _: "cut off"), with_parameters(max_tokens=9))

    regraded(tmp_path / "r", Company(), with_parameters(max_tokens=900))

    assert report_run(tmp_path / "r").subjects[0].spreads.impl_rate.mean == 0.5


def test_parameters_that_were_asked_before_are_not_paid_for_twice(tmp_path: Path) -> None:
    company = Company()
    began(tmp_path / "r", company, COLD)
    regraded(tmp_path / "r", company, WARM)

    regraded(tmp_path / "r", company, COLD)
    regraded(tmp_path / "r", company, COLD, every=True)

    assert sorted(map(str, temperatures(company))) == ["0.0"] * TOTAL + ["1.0"] * TOTAL


def test_what_judges_are_not_shown_may_change_without_paying_them_again(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())
    stricter = replace(PLAIN, pass_threshold=Fraction(9, 10), consensus=replace(ONCE, tries=3))
    tested = tuple(replace(one, expectations=Expectations(settings={"contains": "y"})) for one in SET.cases)
    company = Company()

    by_tests = regraded(tmp_path / "r", company, replace(SET, cases=tested))
    by_threshold = regraded(tmp_path / "r", company, replace(SET, judge=replace(PLAN, rubric=stricter)))

    assert (by_tests.checked, by_threshold.checked) == (TOTAL, TOTAL)
    assert by_threshold.is_in_place
    assert company.judged == []
    assert {one.score for one in judgements(tmp_path / "r")} == {Fraction(1, 2)}


def test_further_readings_are_asked_for_and_the_first_ones_stay(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())
    twice = replace(PLAIN, consensus=replace(ONCE, readings=2))
    company = Company()

    regraded(tmp_path / "r", company, replace(SET, judge=replace(PLAN, rubric=twice)))

    assert [request.key.attempt for request in company.judged] == [1] * TOTAL


def essays(*, readings: int = 1) -> EvalSet:
    """Return a set that only judges can check."""
    rubric = replace(PLAIN, consensus=replace(ONCE, readings=readings, tries=TRIES))
    cases = tuple(case(f"c{number}", "judge") for number in range(CASES))
    return replace(SET, cases=cases, judge=replace(PLAN, rubric=rubric))


def out_of_form_on_c1(request: Request) -> object:
    return "I cannot" if request.key.case == "c1" else 0.9


def test_a_judge_that_replied_out_of_form_is_asked_again_by_a_resumed_run(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(out_of_form_on_c1), essays())
    assert sorted(kinds(tmp_path / "r")) == ["error"] * SAMPLES + ["pass"] * (TOTAL - SAMPLES)
    company = Company(lambda _: 0.9)

    resumed = went_on(tmp_path / "r", company, essays())

    assert kinds(tmp_path / "r") == ["pass"] * TOTAL
    assert [request.key.case for request in company.judged] == ["c1"] * SAMPLES  # the others are paid for
    assert resumed.progress.judges is not None
    assert resumed.progress.judges.cost_nano_usd == (TOTAL + SAMPLES * TRIES + PROOF) * JUDGE_COST


def test_a_judge_that_stays_out_of_form_is_asked_as_often_by_every_session(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(out_of_form_on_c1), essays())

    for _ in range(2):
        company = Company(out_of_form_on_c1)
        went_on(tmp_path / "r", company, essays())
        assert len(company.judged) == SAMPLES * TRIES + PROOF

    assert kinds(tmp_path / "r").count("error") == SAMPLES


def test_what_was_judged_in_the_end_is_judged_alike_without_a_call(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(out_of_form_on_c1), essays())
    went_on(tmp_path / "r", Company(lambda _: 0.9), essays())
    before, company = judgements(tmp_path / "r"), Company()

    done = regraded(tmp_path / "r", company, essays(), every=True)

    assert (done.checked, company.judged) == (TOTAL, [])
    assert judgements(tmp_path / "r") == before


def test_one_reading_that_can_be_used_ends_a_hearing_for_good(tmp_path: Path) -> None:
    def first_out_of_form(request: Request) -> object:
        return "I cannot" if request.key.attempt < TRIES else 0.9

    began(tmp_path / "r", Company(first_out_of_form), essays(readings=2))
    company = Company()

    regraded(tmp_path / "r", company, essays(readings=2), every=True)

    assert company.judged == []


def test_a_check_whose_judge_was_out_of_form_is_judged_by_a_regrade_of_everything(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(out_of_form_on_c1))
    company = Company(lambda _: 0.9)

    regraded(tmp_path / "r", company, SET, every=True)

    assert [request.key.case for request in company.judged] == ["c1"] * SAMPLES
    assert {one.score for one in judgements(tmp_path / "r")} == {Fraction(9, 10)}


def test_a_resumed_run_asks_only_the_judge_of_the_panel_that_is_missing(tmp_path: Path) -> None:
    two = essays()
    assert two.judge is not None
    two = replace(two, judge=replace(two.judge, models=("wise/judge", "stern/judge")))
    began(tmp_path / "r", Company(lambda one: "I cannot" if one.provider == "stern" else 0.9), two)
    assert kinds(tmp_path / "r") == ["error"] * TOTAL
    company = Company(lambda _: 0.7)

    went_on(tmp_path / "r", company, two)

    assert [request.provider for request in company.judged] == ["stern"] * TOTAL
    assert kinds(tmp_path / "r") == ["pass"] * TOTAL
