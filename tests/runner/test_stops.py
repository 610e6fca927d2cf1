"""A session that is stopped, or that stumbles, loses nothing, and goes on later."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from steelyard.errors import ProviderError, StoreError
from steelyard.model.progress import RunResult
from steelyard.model.request import Reply, Request
from steelyard.runner.session import begin_run, execute
from steelyard.store.run.location import Location
from steelyard.store.run.rows import Checked
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import write_unbillable_spend
from tests.patience import until_idle
from tests.runner.small_session import (
    PRICED,
    SET,
    TOTAL,
    Voice,
    began,
    plan_of,
    resources,
    went_on,
)


def test_one_interrupt_finishes_what_is_under_way_and_the_rest_is_left_for_later(tmp_path: Path) -> None:
    def presses_once(_: Request) -> str:
        if len(voice.asked) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return "yes"

    voice = Voice(presses_once, pause_s=0.01)

    _, ended = began(tmp_path / "r", voice, max_concurrency=2)

    assert ended.was_stopped
    assert 10 <= len(voice.asked) < TOTAL
    assert ended.progress.total.generated == len(voice.asked)  # nothing that was asked for is lost
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
    voice.generate = presses  # type: ignore[method-assign]

    _, ended = began(tmp_path / "r", voice, prices=PRICED, max_nano_usd=room_for_one)

    assert (ended.was_stopped, len(voice.asked), ended.progress.total.generated) == (True, 1, 1)


def test_an_interrupt_does_not_sit_out_the_pauses_of_a_provider(tmp_path: Path) -> None:
    def busy(_: Request) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        raise ProviderError("busy", kind="rate_limited", may_retry=True, retry_after_s=600.0)

    _, ended = began(tmp_path / "r", Voice(busy), max_concurrency=2)

    assert ended.was_stopped


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

    monkeypatch.setattr("steelyard.runner.work.write_unbillable_spend", fails_once)
    monkeypatch.setattr("steelyard.runner.work.SPEND_EVERY_S", 0.0)
    plan = plan_of()
    store = begin_run(plan, str(tmp_path / "r"))
    voice = resources(Voice(pause_s=0.2), plan, max_concurrency=8)

    ended = execute(store, SET, voice, progress=lambda progress: seen.append(progress.total.generated))

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
        await asyncio.sleep(600)
        return Reply(text="too late")

    voice = Voice()
    voice.generate = slow  # type: ignore[method-assign]

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
    assert ended.progress.total.generated == len(voice.asked)


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

    answered = 0

    async def answers_some(request: Request) -> Reply:
        nonlocal answered
        voice.asked.append((request.key.case, request.key.attempt))
        number = len(voice.asked)
        if number > 5:
            await asyncio.to_thread(is_busy.wait, 60)
        if number == 11:
            while answered < 10:  # noqa: ASYNC110  # other tasks count
                await asyncio.sleep(0.01)
            await until_idle()
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.05)
        if number > 10:
            await asyncio.sleep(600)
        answered += 1
        return Reply(text="yes")

    voice = Voice()
    voice.generate = answers_some  # type: ignore[method-assign]

    store, ended = began(tmp_path / "r", voice)

    assert ended.was_stopped
    assert sum(file.rows for file in store.samples.files()) == 10
    assert ended.progress.total.generated == 10  # and not counted as money spent without an answer
