"""A worker that dies ends the run as failed, soon, and with the name of its test."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.repo.dead_workers import DEATH
from tests.repo.package import REPOSITORY

SOON_SECONDS = 250  # starting the workers takes most of it on a busy machine
DIE = "os.kill(os.getpid(), signal.SIGKILL)"
GOOD = "def test_good(): pass\n"


class Ended(NamedTuple):
    """How a run of pytest ended, and what it showed."""

    code: int
    shown: str


def run_two_workers(folder: Path, *options: str, **files: str) -> Ended:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(f"import os, signal, time\n{text}\n")
    shown = folder / "shown.txt"
    # These tests run in a worker of xdist themselves, which the inner run must not take itself for.
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    plugins = ("-p", "xdist", "-p", "tests.repo.dead_workers", "-p", "no:cacheprovider")
    with shown.open("w") as out:  # a file: a process that is left behind would keep a pipe open
        code = subprocess.run(
            [sys.executable, "-m", "pytest", *plugins, "-n2", "--dist=loadfile", "-v", *options],
            cwd=folder,
            env={**outer, "PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            stdout=out,
            stderr=subprocess.STDOUT,
            timeout=SOON_SECONDS,
            check=False,
        ).returncode
    return Ended(code, shown.read_text())


@pytest.mark.check_all
def test_a_worker_that_dies_when_the_others_have_no_more_work_ends_the_run(tmp_path: Path) -> None:
    # xdist starts another worker, and waits for it forever.
    dies = f"def test_dies():\n    time.sleep(2)\n    {DIE}\n\ndef test_after(): pass"
    ended = run_two_workers(tmp_path, test_a=GOOD, test_b=dies)

    assert ended.code == DEATH
    assert "FAILED test_b.py::test_dies" in ended.shown
    assert "worker gw" in ended.shown
    assert "died while running test_b.py::test_dies" in ended.shown


@pytest.mark.check_all
def test_tests_of_other_workers_are_not_waited_for(tmp_path: Path) -> None:
    sleeps = "def test_sleeps():\n    open('asleep', 'w').close()\n    time.sleep(600)\n"
    dies = f"def test_dies():\n    while not os.path.exists('asleep'): time.sleep(0.1)\n    {DIE}\n"
    ended = run_two_workers(tmp_path, test_a=sleeps, test_b=dies)

    assert ended.code == DEATH
    assert "died while running test_b.py::test_dies" in ended.shown
    assert "NOT FINISHED test_a.py::test_sleeps" in ended.shown


@pytest.mark.check_all
def test_a_worker_is_dead_even_if_a_process_that_it_forked_lives_on(tmp_path: Path) -> None:
    # The child keeps the pipe open that xdist listens to.
    dies = f"""
def test_dies():
    if os.fork() == 0:
        while not os.path.exists("over"):
            time.sleep(0.2)
        os._exit(0)
    {DIE}
"""
    try:
        ended = run_two_workers(tmp_path, test_a=GOOD, test_b=dies)
    finally:
        (tmp_path / "over").touch()

    assert ended.code == DEATH
    assert "died while running test_b.py::test_dies" in ended.shown


@pytest.mark.parametrize("hook", ["pytest_sessionfinish", "pytest_collection_finish"])
def test_a_worker_that_dies_outside_of_its_tests_fails_the_run_too(tmp_path: Path, hook: str) -> None:
    # xdist reports no failed test, so the run would be a success.
    dies = f"def {hook}(session):\n    if hasattr(session.config, 'workerinput'):\n        {DIE}\n"
    ended = run_two_workers(tmp_path, conftest=dies, test_a=GOOD)

    assert ended.code == DEATH
    # xdist may have handed out a test before it sees that the worker is gone.
    assert re.search("died (between two tests, or after its last|while running)", ended.shown)


def test_a_run_that_is_interrupted_names_the_tests_it_was_in(tmp_path: Path) -> None:
    # `timeout` interrupts a run that takes too long, as Ctrl-C does.
    interrupts = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_runtest_logstart(nodeid):
    if "hangs" in nodeid and "PYTEST_XDIST_WORKER" not in os.environ:
        os.kill(os.getpid(), signal.SIGINT)
"""
    hangs = "def test_hangs():\n    time.sleep(600)\n"
    ended = run_two_workers(tmp_path, conftest=interrupts, test_a=GOOD, test_b=hangs)

    assert ended.code == 2
    assert "NOT FINISHED test_b.py::test_hangs" in ended.shown


@pytest.mark.check_all
def test_a_test_that_hangs_where_python_gets_no_signal_ends_the_run(tmp_path: Path) -> None:
    # pytest-timeout works by a signal; after faulthandler's limit the worker exits.
    hangs = (
        "def test_hangs():\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    time.sleep(600)\n"
    )
    limits = ("-o", "faulthandler_timeout=2", "-o", "faulthandler_exit_on_timeout=true")
    ended = run_two_workers(tmp_path, *limits, test_a=GOOD, test_b=hangs)

    assert ended.code == DEATH
    assert "died while running test_b.py::test_hangs" in ended.shown
    assert re.search(r"test_b.py.*, line 4 in test_hangs", ended.shown)


@pytest.mark.check_all
def test_a_run_whose_workers_live_is_not_disturbed(tmp_path: Path) -> None:
    ended = run_two_workers(tmp_path, test_a=GOOD, test_b=GOOD)

    assert ended.code == 0
    assert "2 passed" in ended.shown
