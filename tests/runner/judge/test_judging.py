"""Judges are asked like any other model: within the budget, again after faults, never twice for a reply."""

import asyncio
import os
import signal
import threading
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from typing_extensions import override

from steelyard.app.report import report_run
from steelyard.errors import ProviderError, UserError
from steelyard.model.evalset import Tier
from steelyard.model.price import Price
from steelyard.model.progress import StopCause
from steelyard.model.request import Reply, Request
from steelyard.model.sample import JUDGE_TIER
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.judge.client import digest_with_judges
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.regrade.plan import plan_regrade
from steelyard.runner.regrade.regrade import regrade
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import open_run
from tests.checks.rubrics import ONCE, PLAIN
from tests.runner.judge.judged_session import (
    ANSWER_COST,
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
    went_on,
)


def test_every_answer_is_judged_and_the_rate_enters_the_score(tmp_path: Path) -> None:
    store, ended = began(tmp_path / "r", Company())

    [subject] = report_run(tmp_path / "r").subjects
    assert ended.is_complete
    assert store.manifest.scoring.name == "composite"  # what a judged set is scored by
    assert subject.spreads.impl_rate.mean == 0.5
    assert subject.score.value == 0.75
    assert len(judgements(tmp_path / "r")) == CASES * SAMPLES


def test_the_run_notes_who_judged_by_which_rubric(tmp_path: Path) -> None:
    store, _ = began(tmp_path / "r", Company())

    assert store.manifest.judges == PLAN.record
    assert store.manifest.judges is not None
    assert store.manifest.judges.rubric_digest == PLAIN.digest
    assert open_run(tmp_path / "r").manifest == store.manifest


def test_judging_is_paid_from_the_budget_and_counted_apart(tmp_path: Path) -> None:
    _, ended = began(tmp_path / "r", Company())

    progress, total = ended.progress, CASES * SAMPLES
    assert progress.judges is not None
    assert (progress.judges.replies, progress.judges.cost_nano_usd) == (total, total * JUDGE_COST)
    assert progress.total.cost_nano_usd == total * ANSWER_COST
    assert progress.spent_nano_usd == total * (ANSWER_COST + JUDGE_COST)


def test_many_answers_are_judged_at_a_time(tmp_path: Path) -> None:
    company = Company()
    company.waits_for = 5

    began(tmp_path / "r", company, threads=1)

    assert company.most >= 5


def test_a_budget_that_judges_use_up_halts_the_run_and_more_goes_on_without_asking_again(
    tmp_path: Path,
) -> None:
    company = Company()
    free = Price(model="lab/*", input_usd=Decimal(0), output_usd=Decimal(0), max_tokens=1)
    prices = PriceList([free, replace(free, model="wise/*")])
    cap = CASES * SAMPLES * ANSWER_COST + 5 * JUDGE_COST

    _, ended = began(tmp_path / "r", company, max_nano_usd=cap, prices=prices)

    assert [halt.cause for halt in ended.stopped.values()] == [StopCause.BUDGET]
    assert not ended.is_complete
    judged = len(company.judged)
    assert 5 <= judged < CASES * SAMPLES

    again = went_on(tmp_path / "r", company)

    assert again.is_complete
    assert len(company.judged) == CASES * SAMPLES  # nobody was asked twice
    assert again.progress.spent_nano_usd == CASES * SAMPLES * (ANSWER_COST + JUDGE_COST)
    assert kinds(tmp_path / "r") == ["pass"] * (CASES * SAMPLES)


def test_a_judge_without_a_key_halts_the_run_and_what_is_generated_is_kept(tmp_path: Path) -> None:
    def no_key(_: Request) -> object:
        raise ProviderError("wrong key", kind="bad_key", is_fatal=True)

    _, ended = began(tmp_path / "r", Company(no_key))

    assert {name: halt.cause for name, halt in ended.stopped.items()} == {"wise": StopCause.PROVIDER}
    assert set(kinds(tmp_path / "r")) <= {"error"}  # no evidence, and checked again by whoever resumes

    company = Company()
    assert went_on(tmp_path / "r", company).is_complete
    assert kinds(tmp_path / "r") == ["pass"] * (CASES * SAMPLES)


def test_a_judge_that_fails_now_and_then_costs_no_evidence_but_its_own(tmp_path: Path) -> None:
    def fails_on_c1(request: Request) -> object:
        if request.key.case == "c1":
            raise ProviderError("too long", kind="rejected")
        return 0.5

    _, ended = began(tmp_path / "r", Company(fails_on_c1))

    assert ended.is_complete
    assert sorted(kinds(tmp_path / "r")) == ["error"] * SAMPLES + ["pass"] * ((CASES - 1) * SAMPLES)

    company = Company()
    went_on(tmp_path / "r", company)
    assert {request.key.case for request in company.judged} == {"c1"}
    assert company.answered == []


def test_readings_that_were_paid_for_are_not_asked_for_again(tmp_path: Path) -> None:
    """The second of two readings fails; whoever resumes needs only that one."""
    twice = replace(SET, judge=replace(PLAN, rubric=replace(PLAIN, consensus=replace(ONCE, readings=2))))

    def fails_at_the_second(request: Request) -> object:
        if request.key.attempt:
            raise ProviderError("cut", kind="cut")
        return 0.25

    began(tmp_path / "r", Company(fails_at_the_second), twice)
    company = Company(lambda _: 0.75)
    went_on(tmp_path / "r", company, twice)

    assert {request.key.attempt for request in company.judged} == {1}
    assert {judgement.score for judgement in judgements(tmp_path / "r")} == {Fraction(1, 2)}


def test_equal_answers_are_judged_once(tmp_path: Path) -> None:
    class Parrot(Company):
        @override
        async def generate(self, request: Request) -> Reply:
            if request.key.tier == JUDGE_TIER:
                return await super().generate(request)
            return Reply(text="yes", cost_nano_usd=0)

    company = Parrot()
    company.pause_s = 0.01
    _, ended = began(
        tmp_path / "r", company, share=False
    )  # as on a cluster, where nobody knows of the others

    assert ended.is_complete
    assert len(company.judged) == CASES


def test_answers_without_a_checker_pass_by_the_word_of_the_judge(tmp_path: Path) -> None:
    essays = replace(SET, cases=(case("good", "judge"), case("bad", "judge")))

    began(tmp_path / "r", Company(lambda request: 0.9 if request.key.case == "good" else 0.1), essays)

    found = {one.case: (one.c, one.n) for one in report_run(tmp_path / "r").cases}
    assert found == {"good": (SAMPLES, SAMPLES), "bad": (0, SAMPLES)}


def test_a_set_that_only_judges_can_check_needs_judges() -> None:
    with pytest.raises(UserError, match="`judges=provider/name`"):
        plan_run(replace(SET, cases=(case("a", "judge"),), judge=None), RunOptions(models=("lab/m",)))
    with pytest.raises(UserError, match="no judges"):
        plan_run(replace(SET, judge=replace(PLAN, models=())), RunOptions(models=("lab/m",)))


def test_a_first_interrupt_does_not_wait_for_judges_that_are_not_called_yet(tmp_path: Path) -> None:
    """One call is under way and is finished; the others wait for a slot, and a resumed run makes them."""
    company = Company()
    company.pause_s = 0.5
    generate = company.generate
    pressed: list[Request] = []

    async def presses(request: Request) -> Reply:
        if request.key.tier == JUDGE_TIER and not pressed:
            pressed.append(request)
            asyncio.get_running_loop().call_later(0.2, os.kill, os.getpid(), signal.SIGINT)
        return await generate(request)

    company.generate = presses  # type: ignore[method-assign]

    _, ended = began(tmp_path / "r", company, max_concurrency=1)

    assert ended.was_stopped
    assert (len(company.judged), kinds(tmp_path / "r")) == (1, ["pass"])
    later = Company()
    assert went_on(tmp_path / "r", later).is_complete
    assert len(later.judged) == SAMPLES * CASES - 1
    assert kinds(tmp_path / "r") == ["pass"] * SAMPLES * CASES


def test_nobody_waits_for_a_judge_when_the_user_stops_at_once(tmp_path: Path) -> None:
    company = Company()
    company.pause_s = 60
    plan = plan_run(SET, RunOptions(models=("lab/m",), samples=1))
    store = begin_run(plan, str(tmp_path / "r"))
    resources = RunResources(SET, plan.subjects, RunSettings(instead=company))

    def impatient(_: object) -> None:
        if company.most == CASES and presses:
            presses.pop()
            os.kill(os.getpid(), signal.SIGINT)

    presses = [1, 2]
    ended = execute(store, SET, resources, progress=impatient)

    assert ended.was_stopped
    assert list(store.pending()) == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("judge")]


def test_a_check_is_named_after_its_judges() -> None:
    other = replace(PLAN, models=("wise/other",))

    assert digest_with_judges("d", None) == "d"
    assert len({"d", digest_with_judges("d", PLAN), digest_with_judges("d", other)}) == 3


def test_a_tier_can_ask_through_an_agent(tmp_path: Path) -> None:
    """The same model, directly and through two agents; what an agent prints is the answer."""
    tiers = (
        Tier(id="T0"),
        Tier(id="T1", command="/bin/echo yes, says {model}"),
        Tier(id="T2", command="/bin/echo no"),
    )
    eval_set = replace(SET, judge=None, tiers=tiers)
    plan = plan_run(eval_set, RunOptions(models=("lab/m",), tiers=("T1", "T2"), samples=1))
    resources = RunResources(eval_set, plan.subjects, RunSettings(sandbox="process", allow_unsafe=True))
    store = begin_run(plan, str(tmp_path / "r"))

    execute(store, eval_set, resources, progress=lambda _: None)

    found = {one.tier: one.passed for one in report_run(tmp_path / "r").subjects}
    assert found == {"T1": CASES, "T2": 0}
    with reading(open_run(tmp_path / "r").samples) as connection:
        [(model, text)] = connection.execute(
            "SELECT DISTINCT model, text FROM rows WHERE tier = 'T1'"
        ).fetchall()
    assert (model, text.strip()) == ("lab/m", "yes, says m")


def test_another_rubric_judges_stored_answers_anew_and_the_run_says_so(tmp_path: Path) -> None:
    began(tmp_path / "r", Company())
    rubric = replace(PLAIN, description="Be strict.", pass_threshold=Fraction(9, 10))
    stricter = replace(SET, judge=replace(PLAN, rubric=rubric))
    company, store = Company(lambda _: 1), open_run(tmp_path / "r").hold()

    planned_again = plan_regrade(store, stricter, stored=SET)
    resources = RunResources(planned_again.eval_set, (), RunSettings(instead=company))
    done = regrade(store, planned_again, resources, progress=lambda _: None)

    assert (done.checked, done.is_in_place) == (CASES * SAMPLES, True)
    assert len(company.judged) == CASES * SAMPLES
    assert company.answered == []
    assert open_run(tmp_path / "r").manifest.judges == stricter.judge.record  # type: ignore[union-attr]
    assert report_run(tmp_path / "r").subjects[0].score.value == 1
    assert (
        regrade(open_run(tmp_path / "r").hold(), planned_again, resources, progress=lambda _: None).checked
        == 0
    )


def test_a_report_of_many_answers_counts_all_and_compares_the_judges_over_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began(tmp_path / "r", Company())
    monkeypatch.setattr("steelyard.app.report.MOST_COMPARED", 5)

    report = report_run(tmp_path / "r")

    assert report.judges is not None
    assert [one.answers for one in report.judges.subjects] == [CASES * SAMPLES]
    assert report.judges.cost_usd == pytest.approx(CASES * SAMPLES * JUDGE_COST / 1e9)
    assert report.judges.compared == 5
    assert any("5 of 12" in warning for warning in report.warnings)
