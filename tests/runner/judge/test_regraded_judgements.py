"""A regrade of a judged run: all answers are judged by the same judges, and no rating is lost."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from steelyard import export_run
from steelyard.errors import ProviderError, UserError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, JudgePlan
from steelyard.model.price import Price
from steelyard.model.request import Parameters, Request
from steelyard.providers.prices.price_list import PriceList
from steelyard.store.run.location import location_of
from steelyard.store.run.run_store import open_run
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend
from tests.checks.rubrics import PLAIN
from tests.runner.judge.judged_session import (
    CASES,
    JUDGE_COST,
    PLAN,
    SAMPLES,
    SET,
    Company,
    began,
    judgements,
    regraded,
)

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

    with pytest.raises(UserError, match=f"missing or have changed prompts: {named}. Put them back"):
        regraded(tmp_path / "r", company, replace(SET, cases=cases, judge=judge))

    assert company.judged == []
    assert open_run(tmp_path / "r").manifest.judges == PLAN.record


def test_answers_can_be_taken_out_for_a_set_with_other_judges(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())
    wanted = replace(SET, cases=ASKS_ANEW, judge=HARD)

    written = export_run(tmp_path / "r", tmp_path / "a.jsonl", table="samples", eval_set=wanted)

    assert written == CASES * SAMPLES


@pytest.mark.check_all
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


def with_room(max_tokens: int) -> EvalSet:
    return replace(SET, judge=replace(PLAN, parameters=Parameters(max_tokens=max_tokens)))


def ratings(run: Path) -> list[object]:
    return [one.score for one in judgements(run)]


def test_a_regrade_that_loses_ratings_replaces_nothing_unless_it_may(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(lambda _: 1), with_room(900))

    done = regraded(tmp_path / "r", Company(lambda _: "cut off"), with_room(9))

    assert not done.is_in_place
    assert (sum(one.lost for one in done.lost), done.broken) == (CASES * SAMPLES, ())
    assert ratings(tmp_path / "r") == [1] * (CASES * SAMPLES)
    company = Company()
    assert regraded(tmp_path / "r", company, with_room(9), allow_errors=True).is_in_place
    assert company.judged == []  # what there is is taken
    assert ratings(tmp_path / "r") == [None] * (CASES * SAMPLES)


@pytest.mark.check_all
def test_the_same_regrade_asks_again_for_the_ratings_that_would_be_lost(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(lambda _: 1), with_room(900))
    regraded(
        tmp_path / "r",
        Company(lambda request: "cut off" if request.key.case == "c1" else 1),
        with_room(9),
    )
    company = Company(lambda _: 1)

    done = regraded(tmp_path / "r", company, with_room(9))

    assert done.is_in_place
    assert [request.key.case for request in company.judged] == ["c1"] * SAMPLES
    assert ratings(tmp_path / "r") == [1] * (CASES * SAMPLES)


@pytest.mark.check_all
def test_a_rating_that_was_unknown_before_is_not_lost(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(lambda _: "cut off"), with_room(9))

    done = regraded(tmp_path / "r", Company(lambda _: "cut off"), with_room(90))

    assert (done.is_in_place, done.lost) == (True, ())


def test_ratings_are_lost_in_a_new_form_of_a_case_too(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), with_room(900))
    moved = tuple(replace(one, expectations=Expectations(settings={"contains": "y"})) for one in SET.cases)

    done = regraded(tmp_path / "r", Company(lambda _: "cut off"), replace(with_room(9), cases=moved))

    assert sum(one.lost for one in done.lost) == CASES * SAMPLES
    assert not done.is_in_place


FREE = Price(model="wise/*", input_usd=Decimal(0), output_usd=Decimal(1), max_tokens=1)
SET_ASIDE = 1_000  # nano-USD for each call, by this price


def test_calls_of_judges_that_may_be_billed_are_kept_with_the_run(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())
    write_unbillable_spend(location_of(tmp_path / "r"), 5)

    def breaks_off(request: Request) -> object:
        if request.key.case == "c1":
            raise ProviderError("cut", kind="cut", may_be_billed=True)
        return 0.5

    regraded(
        tmp_path / "r",
        Company(breaks_off),
        replace(SET, judge=OTHERS),
        prices=PriceList([FREE]),
        max_nano_usd=10**9,
    )

    assert read_unbillable_spend(location_of(tmp_path / "r")) == 5 + SAMPLES * SET_ASIDE


@pytest.mark.check_all
@pytest.mark.parametrize("earlier", [0, SET_ASIDE])
def test_the_cap_of_a_regrade_counts_all_replies_of_judges_and_calls_without_one(
    tmp_path: Path, earlier: int
) -> None:
    began(tmp_path / "r", Company())
    write_unbillable_spend(location_of(tmp_path / "r"), earlier)
    spent = CASES * SAMPLES * JUDGE_COST + earlier
    company, wanted = Company(), replace(SET, judge=OTHERS)

    done = regraded(
        tmp_path / "r", company, wanted, prices=PriceList([FREE]), max_nano_usd=spent + SET_ASIDE - 1
    )

    assert (done.was_stopped, done.is_in_place, company.judged) == (True, False, [])
    done = regraded(
        tmp_path / "r", company, wanted, prices=PriceList([FREE]), max_nano_usd=spent + 99 * SET_ASIDE
    )
    assert (done.is_in_place, len(company.judged)) == (True, CASES * SAMPLES)
