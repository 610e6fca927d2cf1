"""A program that sleeps is told from one that computes, in every thread and process of it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from steelyard.model.execution import Limit, Limits
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.thread_states import could_run
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.sandbox.backends import BINDS, FLAGS, PYTHON, script

SPIN_IN_A_THREAD = """
import threading, time
def spin():
    while True: pass
threading.Thread(target=spin, daemon=True).start()
print("ready", flush=True)
time.sleep(600)
"""
SLEEP = "import time; print('ready', flush=True); time.sleep(600)"
STOP = "import os; print('ready', flush=True); os.kill(os.getpid(), 19)"


@contextmanager
def running(source: str) -> Iterator[int]:
    """Run a program until it says that it is ready."""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.kill()


def settles(pid: int, *, runs: bool) -> bool:
    """Whether a process comes to run, or to rest; it may need a moment for that."""
    until = time.monotonic() + 60
    while could_run(lambda: [pid]) is not runs:
        if time.monotonic() > until:
            return False
    return True


@pytest.mark.parametrize(("source", "runs"), [(SPIN_IN_A_THREAD, True), (SLEEP, False), (STOP, False)])
def test_a_thread_that_computes_is_seen(source: str, *, runs: bool) -> None:
    with running(source) as pid:
        assert settles(pid, runs=runs)


def test_one_of_several_is_enough_and_those_that_have_gone_count_for_nothing() -> None:
    with running(SLEEP) as asleep, running(SPIN_IN_A_THREAD) as busy:
        assert settles(asleep, runs=False)
        assert could_run(lambda: [asleep, busy, 2**22])
        assert not could_run(lambda: [2**22])


def test_a_process_whose_name_looks_like_a_state_is_read_right(tmp_path: Path) -> None:
    (tmp_path / "7" / "task" / "7").mkdir(parents=True)
    (tmp_path / "7" / "task" / "7" / "stat").write_text("7 (a) R b) S 1 2 3", encoding="utf-8")

    assert not could_run(lambda: [7], tmp_path)


@pytest.mark.skipif(find_cgroups() is None, reason="no control groups here, and so no list of processes")
@pytest.mark.parametrize(
    ("source", "runs"), [("while True: pass", True), ("import time; time.sleep(600)", False)]
)
def test_a_timeout_says_whether_the_command_had_use_for_a_processor(source: str, *, runs: bool) -> None:
    sandbox = WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS)

    result = sandbox.run(script(source, limits=Limits(wall_s=3)))
    sandbox.close()

    assert (result.limit, result.could_run) == (Limit.WALL, runs)
