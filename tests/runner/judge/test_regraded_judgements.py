"""A regrade of a judged run: all answers are judged by the same judges, and no rating is lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.evalset import JudgePlan
from steelyard.store.run.run_store import open_run
from tests.checks.rubrics import PLAIN
from tests.runner.judge.judged_session import CASES, PLAN, SAMPLES, SET, Company, began, regraded

OTHERS = replace(PLAN, models=("wise/other",))
HARD = replace(PLAN, rubric=replace(PLAIN, id="hard", description="Be hard."))
ASKS_ANEW = (*SET.cases[:-1], replace(SET.cases[-1], prompt="Say it."))


@pytest.mark.parametrize("judge", [OTHERS, HARD])
@pytest.mark.parametrize(
    ("cases", "named"), [(ASKS_ANEW, "c3"), (SET.cases[1:], "c0"), (ASKS_ANEW[2:], "c0, c1, c3")]
)
def test_other_judges_judge_every_answer_or_none(
    tmp_path: Path, judge: JudgePlan, cases: tuple[Case, ...], named: str
) -> None:
    began(tmp_path / "r", Company())
    company = Company()

    with pytest.raises(UserError, match=f"something else in them now: {named}. Put them back"):
        regraded(tmp_path / "r", company, replace(SET, cases=cases, judge=judge))

    assert company.judged == []
    assert open_run(tmp_path / "r").manifest.judges == PLAN.record


def test_judges_of_a_run_that_had_none_judge_every_answer_or_none(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), replace(SET, judge=None))
    company = Company()

    with pytest.raises(UserError, match="c3"):
        regraded(tmp_path / "r", company, replace(SET, cases=ASKS_ANEW))
    regraded(tmp_path / "r", company)

    assert len(company.judged) == CASES * SAMPLES
    assert open_run(tmp_path / "r").manifest.judges == PLAN.record


def test_the_same_judges_may_judge_a_part_of_the_run_again(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())

    done = regraded(tmp_path / "r", Company(), replace(SET, cases=ASKS_ANEW[1:]), every=True)

    assert (done.checked, done.is_in_place) == ((CASES - 2) * SAMPLES, True)


def test_a_case_without_answers_keeps_no_other_judges_out(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), replace(SET, cases=SET.cases[:2]))
    store = open_run(tmp_path / "r").hold()
    store.extend(
        cases=[replace(store.manifest.cases[0], case="c2", digest=SET.cases[2].digest)],
        eval_set=replace(SET, cases=SET.cases[:3]),
    )

    done = regraded(tmp_path / "r", Company(), replace(SET, cases=SET.cases[:2], judge=OTHERS))

    assert (done.checked, done.is_in_place) == (2 * SAMPLES, True)
