"""Ctrl-C once finishes what is in flight, twice stops; nothing is lost, and a resumed run completes."""

import os
import signal
from pathlib import Path
from typing import Any, NoReturn

import pytest

from steelyard.runner.session import begin_run
from steelyard.store.run.run_store import RunStore, open_run
from tests.cli.runs import TOTAL, Started, has_generated, is_running, laid_out, paced
from tests.commands import typed


def committed(run: Path) -> int:
    return sum(file.rows for file in open_run(run).samples.files())


def test_one_interrupt_finishes_the_calls_in_flight_and_a_resumed_run_generates_the_rest(
    tmp_path: Path,
) -> None:
    folder, run = laid_out(tmp_path, pause_s=0.5), tmp_path / "r"
    started = Started(folder, "--eval-set", "set.toml", "--run", "r", columns=60)
    started.wait_for(lambda: has_generated(run))

    started.interrupt()
    code = started.ended()

    shown = started.seen()
    assert code == 130
    assert "press Ctrl-C again to stop" in shown
    assert "stopped by Ctrl-C; all answers so far are kept" in shown
    assert shown.splitlines()[-1] == "next: steelyard run --resume r"
    generated = committed(run)
    assert 0 < generated < TOTAL
    assert f"generated {generated} of {TOTAL}" in shown
    paced(folder, 0.0)
    again = Started(folder, "--resume", "r")
    assert again.ended() == 0
    assert f"generated {TOTAL} of {TOTAL}, checked {TOTAL}" in again.seen()
    assert committed(run) == TOTAL


@pytest.mark.check_all
def test_a_second_interrupt_stops_at_once_and_leaves_no_process_behind(tmp_path: Path) -> None:
    pause_s = 617.3  # so that these agents can be told from all others
    folder, run = laid_out(tmp_path, pause_s=pause_s), tmp_path / "r"
    started = Started(folder, "--eval-set", "set.toml", "--run", "r")
    started.wait_for(lambda: is_running(f"sleep {pause_s}"))
    started.interrupt()
    started.wait_for(lambda: "finishing 2 calls; press Ctrl-C again to stop" in started.seen())

    started.interrupt()
    code = started.ended()

    assert code == 130
    assert not is_running(f"sleep {pause_s}")
    assert f"missing: {TOTAL} not generated" in started.seen()
    paced(folder, 0.0)
    again = Started(folder, "--resume", "r")
    assert again.ended() == 0
    assert committed(run) == TOTAL


def pressed(*_: object, **__: object) -> NoReturn:
    """Press Ctrl-C here."""
    raise KeyboardInterrupt


def test_an_interrupt_before_the_run_exists_says_that_nothing_was_generated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(laid_out(tmp_path, pause_s=0.0))
    monkeypatch.setattr("steelyard.app.run.begin_run", pressed)

    shown = typed(capsys, "run", "set.toml", "--run", "r")

    assert shown == (130, "", "interrupted; nothing was generated\n")
    assert not Path("r").exists()


def test_an_interrupt_between_the_run_and_its_first_call_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(laid_out(tmp_path, pause_s=0.0))
    with monkeypatch.context() as patch:
        patch.setattr("steelyard.app.run.execute", pressed)

        shown = typed(capsys, "run", "set.toml", "--run", "r")

    assert (shown.code, shown.out) == (130, "")
    assert shown.err.splitlines() == [
        f"run r: generated 0 of {TOTAL}, checked 0, spent $0.0000",
        "stopped by Ctrl-C; all answers so far are kept",
        f"missing: {TOTAL} not generated",
        "next: steelyard run --resume r",
    ]
    assert typed(capsys, "run", "--resume", "r").code == 0


def test_an_interrupt_while_the_run_is_begun_waits_until_it_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(*given: Any, **named: Any) -> RunStore:  # noqa: ANN401  # whatever it takes
        os.kill(os.getpid(), signal.SIGINT)
        return begin_run(*given, **named)

    monkeypatch.chdir(laid_out(tmp_path, pause_s=0.0))
    with monkeypatch.context() as patch:
        patch.setattr("steelyard.app.run.begin_run", begin)

        shown = typed(capsys, "run", "set.toml", "--run", "r")

    assert shown.code == 130
    assert shown.err.splitlines()[-1] == "next: steelyard run --resume r"
    assert committed(Path("r")) == 0
