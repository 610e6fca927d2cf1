"""A program that sleeps is told from one that computes; one that waits for a processor gets more time."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from steelyard.model.execution import Limit, Limits
from steelyard.sandbox import sandbox_process
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.waiting import is_waiting
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
    command = [sys.executable, "-c", source]
    # In a session of its own: the kernel may share out processors by sessions.
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.kill()


def settles(pid: int, *, runs: bool) -> bool:
    """Whether a process comes to run, or to rest; it may need a moment for that."""
    until = time.monotonic() + 60
    while is_waiting(lambda: [pid]) is not runs:
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
        assert is_waiting(lambda: [asleep, busy, 2**22])
        assert not is_waiting(lambda: [2**22])


def test_a_process_whose_name_looks_like_a_state_is_read_right(tmp_path: Path) -> None:
    (tmp_path / "7" / "task" / "7").mkdir(parents=True)
    (tmp_path / "7" / "task" / "7" / "stat").write_text("7 (a) R b) S 1 2 3", encoding="utf-8")

    assert not is_waiting(lambda: [7], tmp_path)


@pytest.fixture
def warm() -> Iterator[WarmPythonSandbox]:
    """Give a sandbox, with control groups, to which each command brings its own time."""
    if find_cgroups() is None:
        pytest.skip("no control groups here, and so no list of processes")
    sandbox = WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS)
    yield sandbox
    sandbox.close()


COMPUTE = "import time\nwhile time.process_time() < 0.7: pass\nprint('done')"


@pytest.mark.check_all  # three programs for each processor compute all the time
def test_on_a_busy_machine_a_command_goes_on_until_it_has_had_its_time(warm: WarmPythonSandbox) -> None:
    with ExitStack() as others:
        for _ in range(3 * (os.cpu_count() or 1)):
            others.enter_context(running(SPIN_IN_A_THREAD))
        hurried, patient = (
            warm.run(script(COMPUTE, limits=Limits(wall_s=1, busy_wall_s=longest))) for longest in (0, 100)
        )

    assert (hurried.limit, hurried.had_longer) == (Limit.WALL, False)
    assert (patient.exit_code, patient.limit, patient.had_longer) == (0, None, True)


@pytest.mark.parametrize("source", ["while True: pass", "import time; time.sleep(600)"])
def test_neither_what_computes_all_the_time_nor_what_sleeps_gets_longer(
    source: str, warm: WarmPythonSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_process, "BUSY", 1.1)  # whatever this machine does, it is busy
    monkeypatch.setattr(sandbox_process, "STARVED", 0.01)  # and may be busy indeed

    result = warm.run(script(source, limits=Limits(wall_s=1, busy_wall_s=30)))

    assert (result.limit, result.had_longer) == (Limit.WALL, False)


def test_what_waits_for_ever_is_stopped_in_the_end(
    warm: WarmPythonSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_process, "BUSY", 1.1)
    monkeypatch.setattr(sandbox_process, "STARVED", 100)

    result = warm.run(script("while True: pass", limits=Limits(wall_s=0.5, busy_wall_s=1.5)))

    assert (result.limit, result.had_longer) == (Limit.WALL, True)
    assert result.wall_s >= 1.5


def test_a_machine_with_a_processor_to_spare_gives_no_command_longer(
    warm: WarmPythonSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_process, "idle_share", lambda *_: 0.5)
    monkeypatch.setattr(sandbox_process, "STARVED", 100)

    result = warm.run(script("while True: pass", limits=Limits(wall_s=0.5, busy_wall_s=30)))

    assert (result.limit, result.had_longer) == (Limit.WALL, False)


SPIN = """
import os, time
for _ in range({forks}):
    if not os.fork(): os.setsid()  # the kernel may share out by sessions, too
until = time.monotonic() + 3
while time.monotonic() < until: pass
"""


def test_a_command_with_many_processes_gets_no_more_of_a_processor_than_one_with_a_single_one() -> None:
    if find_cgroups() is None:
        pytest.skip("no control groups here, and so no shares")
    processor = min(os.sched_getaffinity(0))

    def used(forks: int) -> float:
        os.sched_setaffinity(0, {processor})  # of this thread, and of what it starts
        result = BubblewrapSandbox().run(script(SPIN.format(forks=forks), limits=Limits(wall_s=60)))
        assert result.exit_code == 0
        assert result.cpu_s is not None
        return result.cpu_s

    with ThreadPoolExecutor(2) as pool:
        alone, many = pool.map(used, (0, 3))

    assert alone > many / 2, f"{alone:.2f} s of one process beside {many:.2f} s of eight"
