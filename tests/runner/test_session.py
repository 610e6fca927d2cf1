"""A run is carried out to its end, or stops with a reason and nothing lost; what is left is drawn later."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import cast

import pytest

from steelyard.errors import ProviderError, StoreError, UserError
from steelyard.model.case import Case, Expectations
from steelyard.model.config import ProviderSettings
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.price import Price
from steelyard.model.progress import RunResult, StopCause
from steelyard.model.request import Parameters, Reply, Request
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import RunOptions, RunPlan, extend_plan, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.runner.settings import RunSettings
from steelyard.store.run.location import Location
from steelyard.store.run.rows import Checked
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.unbillable_spend import write_unbillable_spend

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
    return plan_run(eval_set, RunOptions(models=("lab/m",), samples=SAMPLES))


def resources(voice: Voice, plan: RunPlan, **settings: object) -> RunResources:
    return RunResources(
        plan.eval_set,
        plan.subjects,
        RunSettings(instead=voice, **settings),  # type: ignore[arg-type]  # whatever a test wants
    )


def went_on(
    address: Path,
    voice: Voice,
    eval_set: EvalSet = SET,
    wishes: RunOptions | None = None,
    **settings: object,
) -> RunResult:
    store = open_run(address)
    plan = extend_plan(store.manifest, eval_set, wishes or RunOptions())
    extend_run(store.hold(), plan)
    return execute(store, eval_set, resources(voice, plan, **settings), progress=lambda _: None)


def began(
    address: Path, voice: Voice, eval_set: EvalSet = SET, **settings: object
) -> tuple[RunStore, RunResult]:
    plan = plan_of(eval_set)
    store = begin_run(plan, str(address))
    return store, execute(store, eval_set, resources(voice, plan, **settings), progress=lambda _: None)


def test_everything_planned_is_drawn_once_and_checked(tmp_path: Path) -> None:
    voice = Voice(lambda request: "yes" if request.key.attempt else "no")

    store, ended = began(tmp_path / "r", voice)

    [subject] = ended.progress.subjects.values()
    assert ended.is_complete
    assert sorted(voice.asked) == sorted((one.id, n) for one in SET.cases for n in range(SAMPLES))
    assert (subject.drawn, subject.checked, subject.passed) == (TOTAL, TOTAL, TOTAL - len(SET.cases))
    assert subject.cost_nano_usd == TOTAL * 1_000
    assert list(store.undrawn()) == []


def test_who_looks_on_sees_the_end(tmp_path: Path) -> None:
    plan, seen = plan_of(), []
    store = begin_run(plan, str(tmp_path / "r"))

    execute(
        store,
        SET,
        resources(Voice(), plan),
        progress=lambda progress: seen.append(progress.total.checked),
    )

    assert seen == sorted(seen)
    assert seen[-1] == TOTAL


def test_a_run_without_an_address_lies_below_the_root_by_its_id(tmp_path: Path) -> None:
    store = begin_run(plan_of(), None, root=str(tmp_path / "runs"))

    assert store.location.address == str(tmp_path / "runs" / store.manifest.id)


def test_our_own_errors_are_no_evidence_and_are_drawn_again(tmp_path: Path) -> None:
    def fails_first(request: Request) -> str:
        if request.key.case == "c3":
            raise ProviderError("too long", kind="rejected")
        return "yes"

    _, ended = began(tmp_path / "r", Voice(fails_first))
    assert ended.is_complete
    assert dict(ended.progress.total.errors) == {"rejected": SAMPLES}
    assert ended.progress.total.checked == TOTAL - SAMPLES

    voice = Voice()
    again = went_on(tmp_path / "r", voice)

    assert voice.asked == [("c3", attempt) for attempt in range(SAMPLES)]
    assert again.progress.total.checked == TOTAL


def test_a_wrong_key_stops_the_run_and_what_was_drawn_is_kept(tmp_path: Path) -> None:
    def key_expires(request: Request) -> str:
        if request.key.case == "c5":
            raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)
        return "yes"

    store, ended = began(tmp_path / "r", Voice(key_expires), max_concurrency=1)

    assert not ended.is_complete
    assert ended.stopped["lab"].cause is StopCause.PROVIDER
    drawn = ended.progress.total.drawn
    assert drawn == ended.progress.total.checked == 5 * SAMPLES

    voice = Voice()
    assert went_on(tmp_path / "r", voice).is_complete
    assert len(voice.asked) == TOTAL - drawn
    assert list(store.undrawn()) == []


def test_the_budget_ends_a_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    voice = Voice(cost=10**9)

    _, ended = began(tmp_path / "r", voice, max_nano_usd=7 * 10**9, allow_unpriced=True, max_concurrency=1)

    assert ended.stopped["lab"].cause is StopCause.BUDGET
    assert ended.progress.spent_nano_usd == 7 * 10**9
    assert went_on(tmp_path / "r", Voice()).is_complete


def test_what_was_spent_in_vain_counts_against_the_cap_of_a_resumed_run_too(tmp_path: Path) -> None:
    def broken(request: Request) -> str:
        if request.key.attempt:
            return "yes"
        raise ProviderError("cut off in the middle", kind="connection", may_be_billed=True)

    once, much = Retries(most=0), 10**12
    _, ended = began(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)
    in_vain = ended.progress.spent_nano_usd - ended.progress.total.cost_nano_usd
    again = went_on(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)

    assert in_vain > 0
    assert again.progress.spent_nano_usd - again.progress.total.cost_nano_usd == 2 * in_vain


def test_a_price_that_nobody_knows_is_refused_before_anything_is_asked() -> None:
    plan = plan_of()
    here = {"lab": ProviderSettings(name="lab", kind="ollama", base_url="http://127.0.0.1:9/v1")}
    with pytest.raises(UserError, match="the price of lab/m is unknown"):
        RunResources(SET, plan.subjects, RunSettings(max_nano_usd=1, providers=here))


def test_a_misspelt_provider_is_told_as_such_and_not_as_one_without_a_price() -> None:
    with pytest.raises(UserError, match="no provider is called 'lab'"):
        RunResources(SET, plan_of().subjects, RunSettings(max_nano_usd=1))


def test_a_parameter_that_an_agent_never_sees_is_refused_before_it_is_asked() -> None:
    plan = plan_run(SET, RunOptions(models=("lab/m",), parameters=Parameters(temperature=0.8)))

    def made(**options: str) -> RunResources:
        here = {"lab": ProviderSettings(name="lab", kind="command", options={"command": "true", **options})}
        return RunResources(SET, plan.subjects, RunSettings(providers=here))

    with pytest.raises(UserError, match=r"add \{temperature\} to the agent's command"):
        made()
    made(ignore="temperature")


def test_an_engine_that_cannot_carry_out_a_run_is_refused() -> None:
    with pytest.raises(UserError, match="`engine=rai` cannot draw and check answers; use local or ray"):
        resources(Voice(), plan_of(), engine="rai")


def test_a_model_without_a_provider_is_refused() -> None:
    plan = plan_run(SET, RunOptions(models=("gpt",)))
    with pytest.raises(UserError, match="name it provider/name"):
        RunResources(SET, plan.subjects, RunSettings())


def test_one_interrupt_finishes_what_is_under_way_and_the_rest_is_left_for_later(tmp_path: Path) -> None:
    def presses_once(_: Request) -> str:
        if len(voice.asked) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return "yes"

    voice = Voice(presses_once, pause_s=0.01)

    _, ended = began(tmp_path / "r", voice, max_concurrency=2)

    assert ended.was_stopped
    assert 10 <= len(voice.asked) < TOTAL
    assert ended.progress.total.drawn == len(voice.asked)  # nothing that was asked for is lost
    second = Voice()
    assert went_on(tmp_path / "r", second).is_complete
    assert len(voice.asked) + len(second.asked) == TOTAL


def test_after_an_interrupt_no_call_begins_that_waited_for_money(tmp_path: Path) -> None:
    async def presses(request: Request) -> Reply:
        voice.asked.append((request.key.case, request.key.attempt))
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.3)
        return Reply(text="yes")

    voice, room_for_one = Voice(), 40_000_000  # nano-USD: answers of up to 32,000 tokens
    voice.draw = presses  # type: ignore[method-assign]

    _, ended = began(tmp_path / "r", voice, prices=PRICED, max_nano_usd=room_for_one)

    assert (ended.was_stopped, len(voice.asked), ended.progress.total.drawn) == (True, 1, 1)


def test_an_interrupt_does_not_sit_out_the_pauses_of_a_provider(tmp_path: Path) -> None:
    def busy(_: Request) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        raise ProviderError("busy", kind="rate_limited", may_retry=True, retry_after_s=600.0)

    start = time.monotonic()
    _, ended = began(tmp_path / "r", Voice(busy), max_concurrency=2)

    assert ended.was_stopped
    assert time.monotonic() - start < 60


def test_a_failed_note_of_what_was_spent_costs_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is written again a moment later, and in any case at the end."""
    failures, seen = 1, []

    def fails_once(location: Location, nano_usd: int) -> None:
        nonlocal failures
        if failures:
            failures -= 1
            raise StoreError("the disk is full")
        write_unbillable_spend(location, nano_usd)

    monkeypatch.setattr("steelyard.runner.unbillable_spend.write_unbillable_spend", fails_once)
    monkeypatch.setattr("steelyard.runner.unbillable_spend.EVERY_S", 0.0)
    plan = plan_of()
    store = begin_run(plan, str(tmp_path / "r"))
    voice = resources(Voice(pause_s=0.2), plan, max_concurrency=8)

    ended = execute(store, SET, voice, progress=lambda progress: seen.append(progress.total.drawn))

    assert (ended.is_complete, failures) == (True, 0)
    assert len(seen) > 4  # it went on to report


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


def test_a_run_is_executed_where_an_event_loop_is_running_as_in_a_notebook(tmp_path: Path) -> None:
    async def cell() -> RunResult:
        return began(tmp_path / "r", Voice())[1]

    ended = asyncio.run(cell())

    assert ended.is_complete
    assert ended.progress.total.checked == TOTAL


def test_one_interrupt_of_a_notebook_cell_finishes_what_is_under_way(tmp_path: Path) -> None:
    def presses_once(_: Request) -> str:
        if len(voice.asked) == 10:
            signal.pthread_kill(cast("int", threading.main_thread().ident), signal.SIGINT)
        return "yes"

    voice = Voice(presses_once, pause_s=0.01)

    async def cell() -> RunResult:
        # A notebook raises KeyboardInterrupt in the cell, as Python does by default.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return began(tmp_path / "r", voice, max_concurrency=2)[1]

    ended = asyncio.run(cell())

    assert ended.was_stopped
    assert 10 <= len(voice.asked) < TOTAL
    assert ended.progress.total.drawn == len(voice.asked)


def test_answers_whose_commit_has_not_begun_are_kept_when_the_run_is_stopped_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of the store is busy when the second Ctrl-C comes; answers that wait for it are kept."""
    is_busy, real = threading.Event(), RunStore.add_outcomes

    def slow(self: RunStore, checked: Sequence[Checked], *, chunk: str) -> bool:
        is_busy.set()
        time.sleep(1.0)
        return real(self, checked, chunk=chunk)

    monkeypatch.setattr(RunStore, "add_outcomes", slow)
    monkeypatch.setattr("steelyard.runner.batch_queue.COMMIT_WITHIN_S", 0.05)

    async def answers_some(request: Request) -> Reply:
        voice.asked.append((request.key.case, request.key.attempt))
        number = len(voice.asked)
        if number > 5:
            await asyncio.to_thread(is_busy.wait, 30)
        if number == 11:
            await asyncio.sleep(0.2)
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.05)
        if number > 10:
            await asyncio.sleep(60)
        return Reply(text="yes")

    voice = Voice()
    voice.draw = answers_some  # type: ignore[method-assign]

    store, ended = began(tmp_path / "r", voice)

    assert ended.was_stopped
    assert sum(file.rows for file in store.samples.files()) == 10
    assert ended.progress.total.drawn == 10  # and not counted as money spent without an answer


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

    ended = went_on(tmp_path / "r", voice, wishes=RunOptions(samples=SAMPLES + 2))

    assert sorted({attempt for _, attempt in voice.asked}) == [SAMPLES, SAMPLES + 1]
    assert ended.progress.total.checked == TOTAL + 2 * len(SET.cases)


def test_a_changed_case_is_drawn_anew_and_the_old_form_does_not_count(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice())
    changed = replace(SET, cases=(*SET.cases[:-1], case("c7", exact="no")))
    voice = Voice()

    ended = went_on(tmp_path / "r", voice, changed)

    assert {name for name, _ in voice.asked} == {"c7"}
    assert open_run(tmp_path / "r").manifest.eval_set_digest == changed.digest != SET.digest
    [subject] = ended.progress.subjects.values()
    assert (subject.checked, subject.passed) == (TOTAL, TOTAL - SAMPLES)


def test_answers_that_were_never_checked_are_checked_first(tmp_path: Path) -> None:
    store, _ = began(tmp_path / "r", Voice())
    assert store.outcomes.forget("case_id = 'c2'") == SAMPLES
    voice = Voice()

    ended = went_on(tmp_path / "r", voice)

    assert voice.asked == []
    assert ended.progress.total.checked == TOTAL


def test_a_checker_that_breaks_costs_an_outcome_and_not_the_run(tmp_path: Path) -> None:
    broken = replace(SET, cases=(*SET.cases, Case(id="bad", language="text", prompt="?")))

    _, ended = began(tmp_path / "r", Voice(), broken)

    assert dict(ended.progress.total.errors) == {"check": SAMPLES}
    assert ended.progress.total.checked == TOTAL
