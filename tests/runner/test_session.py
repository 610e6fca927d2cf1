"""A run is carried out to its end, or stops with a reason and nothing lost; what is left is drawn later."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from steelyard.errors import ProviderError, StoreError, UserError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.price import Price
from steelyard.model.provider import ProviderSettings
from steelyard.model.request import Reply, Request
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.drawer import Why
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import RunPlan, Wishes, grown, planned
from steelyard.runner.resources import RunSettings, Workshop
from steelyard.runner.session import Ended, begin_run, carry_out, grow_run
from steelyard.store.run.run_store import RunStore, open_run

SAMPLES = 5


def case(name: str, exact: str = "yes") -> Case:
    return Case(id=name, language="text", prompt=name, expectations=Expectations(settings={"exact": exact}))


SET = EvalSet(id="s", cases=tuple(case(f"c{number}") for number in range(8)), suites=(Suite(id="default"),))
TOTAL = SAMPLES * len(SET.cases)

PRICED = PriceList([Price(model="lab/*", input_usd=Decimal(1), output_usd=Decimal(1))])


class Voice:
    """A provider that answers by a function of the request, and notes what it was asked."""

    def __init__(
        self, say: Callable[[Request], str] = lambda _: "yes", *, pause_s: float = 0.0, cost: int = 1_000
    ) -> None:
        self.asked: list[tuple[str, int]] = []
        self._cost = cost
        self._say = say
        self._pause_s = pause_s

    async def draw(self, request: Request) -> Reply:
        self.asked.append((request.key.case, request.key.attempt))
        await asyncio.sleep(self._pause_s)
        return Reply(text=self._say(request), cost_nano_usd=self._cost)

    async def close(self) -> None:
        """Nothing is open."""


def plan_of(eval_set: EvalSet = SET) -> RunPlan:
    return planned(eval_set, Wishes(models=("lab/m",), samples=SAMPLES))


def workshop(voice: Voice, plan: RunPlan, **settings: object) -> Workshop:
    return Workshop(
        plan.eval_set,
        plan.subjects,
        RunSettings(instead=voice, **settings),  # type: ignore[arg-type]  # whatever a test wants
    )


def went_on(
    address: Path,
    voice: Voice,
    eval_set: EvalSet = SET,
    wishes: Wishes | None = None,
    **settings: object,
) -> Ended:
    store = open_run(address)
    plan = grown(store.manifest, eval_set, wishes or Wishes())
    grow_run(store.hold(), plan)
    return carry_out(store, eval_set, workshop(voice, plan, **settings), watch=lambda _: None)


def began(address: Path, voice: Voice, eval_set: EvalSet = SET, **settings: object) -> tuple[RunStore, Ended]:
    plan = plan_of(eval_set)
    store = begin_run(plan, str(address))
    return store, carry_out(store, eval_set, workshop(voice, plan, **settings), watch=lambda _: None)


def test_everything_planned_is_drawn_once_and_checked(tmp_path: Path) -> None:
    voice = Voice(lambda request: "yes" if request.key.attempt else "no")

    store, ended = began(tmp_path / "r", voice)

    [subject] = ended.progress.tally.subjects.values()
    assert ended.is_complete
    assert sorted(voice.asked) == sorted((one.id, n) for one in SET.cases for n in range(SAMPLES))
    assert (subject.drawn, subject.checked, subject.passed) == (TOTAL, TOTAL, TOTAL - len(SET.cases))
    assert subject.cost_nano_usd == TOTAL * 1_000
    assert list(store.undrawn()) == []


def test_who_looks_on_sees_the_end(tmp_path: Path) -> None:
    plan, seen = plan_of(), []
    store = begin_run(plan, str(tmp_path / "r"))

    carry_out(
        store,
        SET,
        workshop(Voice(), plan),
        watch=lambda progress: seen.append(progress.tally.total("checked")),
    )

    assert seen == sorted(seen)
    assert seen[-1] == TOTAL


def test_a_run_without_an_address_lies_below_the_root_by_its_id(tmp_path: Path) -> None:
    store = begin_run(plan_of(), None, root=str(tmp_path / "runs"))

    assert store.place.address == str(tmp_path / "runs" / store.manifest.id)


def test_our_own_errors_are_no_evidence_and_are_drawn_again(tmp_path: Path) -> None:
    def fails_first(request: Request) -> str:
        if request.key.case == "c3":
            raise ProviderError("too long", kind="rejected")
        return "yes"

    _, ended = began(tmp_path / "r", Voice(fails_first))
    assert ended.is_complete
    assert dict(ended.progress.tally.errors()) == {"rejected": SAMPLES}
    assert ended.progress.tally.total("checked") == TOTAL - SAMPLES

    voice = Voice()
    again = went_on(tmp_path / "r", voice)

    assert voice.asked == [("c3", attempt) for attempt in range(SAMPLES)]
    assert again.progress.tally.total("checked") == TOTAL


def test_a_wrong_key_stops_the_run_and_what_was_drawn_is_kept(tmp_path: Path) -> None:
    def key_expires(request: Request) -> str:
        if request.key.case == "c5":
            raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)
        return "yes"

    store, ended = began(tmp_path / "r", Voice(key_expires), max_concurrency=1)

    assert not ended.is_complete
    assert ended.halted["lab"].why is Why.PROVIDER
    drawn = ended.progress.tally.total("drawn")
    assert drawn == ended.progress.tally.total("checked") == 5 * SAMPLES

    voice = Voice()
    assert went_on(tmp_path / "r", voice).is_complete
    assert len(voice.asked) == TOTAL - drawn
    assert list(store.undrawn()) == []


def test_the_budget_ends_a_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    voice = Voice(cost=10**9)

    _, ended = began(tmp_path / "r", voice, max_nano_usd=7 * 10**9, allow_unpriced=True, max_concurrency=1)

    assert ended.halted["lab"].why is Why.BUDGET
    assert ended.progress.budget.spent == 7 * 10**9
    assert went_on(tmp_path / "r", Voice()).is_complete


def test_what_was_spent_in_vain_counts_against_the_cap_of_a_resumed_run_too(tmp_path: Path) -> None:
    def broken(request: Request) -> str:
        if request.key.attempt:
            return "yes"
        raise ProviderError("cut off in the middle", kind="connection", may_be_billed=True)

    once, much = Retries(most=0), 10**12
    _, ended = began(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)
    in_vain = ended.progress.budget.spent - ended.progress.tally.total("cost_nano_usd")
    again = went_on(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)

    assert in_vain > 0
    assert again.progress.budget.spent - again.progress.tally.total("cost_nano_usd") == 2 * in_vain


def test_a_price_that_nobody_knows_is_refused_before_anything_is_asked() -> None:
    plan = plan_of()
    here = {"lab": ProviderSettings(name="lab", kind="ollama", base_url="http://127.0.0.1:9/v1")}
    with pytest.raises(UserError, match="nobody knows what lab/m costs"):
        Workshop(SET, plan.subjects, RunSettings(max_nano_usd=1, providers=here))


def test_a_misspelt_provider_is_told_as_such_and_not_as_one_without_a_price() -> None:
    with pytest.raises(UserError, match="no provider is called 'lab'"):
        Workshop(SET, plan_of().subjects, RunSettings(max_nano_usd=1))


def test_an_engine_that_cannot_carry_out_a_run_is_refused() -> None:
    with pytest.raises(UserError, match="--engine rai: answers are drawn and checked by local or ray"):
        workshop(Voice(), plan_of(), engine="rai")


def test_a_model_without_a_provider_is_refused() -> None:
    plan = planned(SET, Wishes(models=("gpt",)))
    with pytest.raises(UserError, match="name it provider/name"):
        Workshop(SET, plan.subjects, RunSettings())


def test_one_interrupt_finishes_what_is_under_way_and_the_rest_is_left_for_later(tmp_path: Path) -> None:
    def presses_once(_: Request) -> str:
        if len(voice.asked) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return "yes"

    voice = Voice(presses_once, pause_s=0.01)

    _, ended = began(tmp_path / "r", voice, max_concurrency=2)

    assert ended.was_stopped
    assert 10 <= len(voice.asked) < TOTAL
    assert ended.progress.tally.total("drawn") == len(voice.asked)  # nothing that was asked for is lost
    second = Voice()
    assert went_on(tmp_path / "r", second).is_complete
    assert len(voice.asked) + len(second.asked) == TOTAL


def test_two_interrupts_stop_and_keep_the_answers_that_are_there(tmp_path: Path) -> None:
    answered = 10

    async def slow(request: Request) -> Reply:
        voice.asked.append((request.key.case, request.key.attempt))
        if len(voice.asked) <= answered:
            return Reply(text="yes")
        if len(voice.asked) == answered + 1:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.1)
        await asyncio.sleep(60)
        return Reply(text="too late")

    voice = Voice()
    voice.draw = slow  # type: ignore[method-assign]

    _, ended = began(tmp_path / "r", voice)

    assert ended.was_stopped
    second = Voice()
    assert went_on(tmp_path / "r", second).is_complete
    assert len(second.asked) == TOTAL - answered


def test_a_store_that_cannot_be_written_stops_the_run_with_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> bool:
        raise StoreError("the disk is full")

    monkeypatch.setattr(RunStore, "add_samples", full)
    with pytest.raises(StoreError, match="the disk is full"):
        began(tmp_path / "r", Voice())


def test_more_samples_are_drawn_of_a_run_that_was_finished(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice())
    voice = Voice()

    ended = went_on(tmp_path / "r", voice, wishes=Wishes(samples=SAMPLES + 2))

    assert sorted({attempt for _, attempt in voice.asked}) == [SAMPLES, SAMPLES + 1]
    assert ended.progress.tally.total("checked") == TOTAL + 2 * len(SET.cases)


def test_a_changed_case_is_drawn_anew_and_the_old_form_does_not_count(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice())
    changed = replace(SET, cases=(*SET.cases[:-1], case("c7", exact="no")))
    voice = Voice()

    ended = went_on(tmp_path / "r", voice, changed)

    assert {name for name, _ in voice.asked} == {"c7"}
    assert open_run(tmp_path / "r").manifest.eval_set_digest == changed.digest != SET.digest
    [subject] = ended.progress.tally.subjects.values()
    assert (subject.checked, subject.passed) == (TOTAL, TOTAL - SAMPLES)


def test_answers_that_were_never_checked_are_checked_first(tmp_path: Path) -> None:
    store, _ = began(tmp_path / "r", Voice())
    assert store.outcomes.forget("case_id = 'c2'") == SAMPLES
    voice = Voice()

    ended = went_on(tmp_path / "r", voice)

    assert voice.asked == []
    assert ended.progress.tally.total("checked") == TOTAL


def test_a_checker_that_breaks_costs_an_outcome_and_not_the_run(tmp_path: Path) -> None:
    broken = replace(SET, cases=(*SET.cases, Case(id="bad", language="text", prompt="?")))

    _, ended = began(tmp_path / "r", Voice(), broken)

    assert dict(ended.progress.tally.errors()) == {"check": SAMPLES}
    assert ended.progress.tally.total("checked") == TOTAL
