"""Ray, the real one: started once for all tests of this file."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray

from steelyard.app.report import report_run
from steelyard.errors import InfrastructureError, StoreError
from steelyard.render.json import JsonRenderer
from steelyard.runner.ray.engine import RayEngine
from tests.runner.work import Errand, divide, refuse, run, run_unless_first
from tests.store.run.small_run import small_manifest, small_run

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def engine() -> Iterator[RayEngine]:
    started = RayEngine()
    yield started
    started.close()
    assert not ray.is_initialized()


def test_results_come_in_the_order_of_the_items(engine: RayEngine) -> None:
    errands = [Errand(number=number, seconds=0.0 if number else 0.5) for number in range(12)]

    assert list(engine.map(run, errands)) == list(range(12))


def test_a_report_counted_by_ray_is_equal_to_the_last_byte(engine: RayEngine, tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", small_manifest(cases=8, planned=6), chunks=5)

    by_ray = report_run(tmp_path / "run", engine="ray")

    assert len(store.outcomes.files()) == 5  # so that there was something to deal out and to add up
    assert JsonRenderer().render(by_ray) == JsonRenderer().render(report_run(tmp_path / "run"))


def test_a_cluster_that_was_there_before_goes_on(engine: RayEngine) -> None:
    guest = RayEngine(threads=1)

    guest.close()

    assert list(engine.map(run, [Errand(number=1)])) == [1]


def test_a_worker_killed_in_the_middle_of_a_task_costs_a_retry(engine: RayEngine, tmp_path: Path) -> None:
    errand = Errand(number=7, note=tmp_path / "worker")
    killer = threading.Thread(target=_kill_whoever_is_noted, args=(tmp_path / "worker",))
    killer.start()

    results = list(engine.map(run_unless_first, [errand, Errand(number=8, note=tmp_path / "worker")]))

    killer.join()
    assert results == [7, 8]


def test_without_retries_the_same_kill_is_an_error_that_says_so(engine: RayEngine, tmp_path: Path) -> None:
    killer = threading.Thread(target=_kill_whoever_is_noted, args=(tmp_path / "worker",))
    killer.start()

    with pytest.raises(InfrastructureError, match=r"task.*lost"):
        list(RayEngine(retries=0).map(run_unless_first, [Errand(number=7, note=tmp_path / "worker")]))

    killer.join()


def test_tasks_that_get_nowhere_are_given_up_and_stopped(engine: RayEngine, tmp_path: Path) -> None:
    note = tmp_path / "worker"
    hasty = RayEngine(stall_s=3.0)
    list(engine.map(run, [Errand(number=1)]))  # now a worker is up, and 3 s are enough to give it a task

    with pytest.raises(InfrastructureError, match=r"finished.*3"):
        list(hasty.map(run_unless_first, [Errand(number=7, note=note)]))

    assert _is_gone(int(note.read_text(encoding="utf-8")))


def test_an_error_of_ours_comes_back_as_it_was_raised(engine: RayEngine) -> None:
    with pytest.raises(StoreError) as raised:
        list(engine.map(refuse, [Errand(number=3)]))

    assert str(raised.value) == "runs/3: the file is damaged"


def test_a_bug_in_a_worker_is_not_hidden(engine: RayEngine) -> None:
    with pytest.raises(ZeroDivisionError):
        list(engine.map(divide, [Errand(number=0)]))


def test_errors_one_after_the_other_leave_ray_alive(engine: RayEngine) -> None:
    """Ray ends the whole process when a task is cancelled that has just ended."""
    for count in range(30):
        with pytest.raises(StoreError):
            list(engine.map(refuse, [Errand(number=0)] * (1 + count % 3)))

    assert list(engine.map(run, [Errand(number=1)])) == [1]


@pytest.mark.check_all
def test_without_ray_the_error_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['ray'] = None\n"
        "from steelyard.errors import UserError\n"
        "from steelyard.plugins import load\n"
        "from steelyard.runner.engines import ENGINES\n"
        "try: load(ENGINES, 'ray', group='engines')\n"
        "except UserError as error: print(error)"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "the engine 'ray' needs Ray: pip install '.[ray]' in the checkout of Steelyard\n"


def _kill_whoever_is_noted(note: Path) -> None:
    """Kill the worker whose note proves that it is in the middle of the task."""
    until = time.monotonic() + PATIENCE_S
    while not note.exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(int(note.read_text(encoding="utf-8")), signal.SIGKILL)


def _is_gone(process: int) -> bool:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        stat = Path(f"/proc/{process}/stat")
        if not stat.exists() or stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False
