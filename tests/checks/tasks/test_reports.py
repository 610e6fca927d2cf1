"""Hidden tests under a real pytest with the reporter: what a hostile answer can make of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.checks.tasks.reports import HiddenTests, library_files, read_results, read_transcripts

TESTS = """
import calc

def test_add():
    assert calc.add(2, 3) == 5

def test_names():
    assert sorted(calc.names()) == ["a", "b"]
"""
RIGHT = "def add(a, b): return a + b\ndef names(): return ['b', 'a']\n"
WRONG = "def add(a, b): return a - b\ndef names(): return []\n"
EXIT = f"{WRONG}import os\nos._exit(0)\n"
NO_RUN = f"{WRONG}import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n"
ALL_PASS = f"""{WRONG}
import _pytest.runner
call = _pytest.runner.CallInfo.from_call.__func__
def passing(cls, func, when, reraise=None): return call(cls, lambda: None, when, reraise)
_pytest.runner.CallInfo.from_call = classmethod(passing)
"""
FORGED = f"""{WRONG}
import json, os, sys
events = [["names", PATH, ["test_add", "test_names"]]]
for name in ("test_add", "test_names"):
    events += [["test", PATH, name], ["result", PATH, name, "passed", "", "x"]]
for number in range(4):
    events.append(["report", PATH, number, None, ["bool", True]])
text = "".join(json.dumps(event) + "\\n" for event in [*events, ["end", ""]])
os.write(os.open(LOG, os.O_WRONLY | os.O_APPEND), text.encode())
os._exit(0)
"""


def run(folder: Path, tests: HiddenTests, answer: str) -> bytes:
    """Run the hidden tests on an answer as a task's script does, and return what was reported."""
    path, log = folder / "test_calc.py", folder / "events.jsonl"
    path.write_bytes(tests.sources().get(str(path), TESTS.encode()))
    log.unlink(missing_ok=True)
    for name, file in library_files().items():
        target = folder / "lib" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    (folder / "calc.py").write_text(f"PATH, LOG = {str(path)!r}, {str(log)!r}\n{answer}")
    env = {
        **os.environ,
        "PYTHONPATH": f"{folder}/lib{os.pathsep}{folder}",
        "PYTEST_PLUGINS": "steelyard_reporter",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "STEELYARD_EVENTS": str(log),
    }
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    subprocess.run(command, env=env, cwd=folder, capture_output=True, check=False)
    return log.read_bytes() if log.exists() else b""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hidden")


@pytest.fixture(scope="module")
def measured(folder: Path) -> HiddenTests:
    tests = HiddenTests.of({str(folder / "test_calc.py"): TESTS})
    return tests.measured(read_transcripts(run(folder, tests, RIGHT)))


def test_the_solutions_run_is_the_measure(measured: HiddenTests, folder: Path) -> None:
    assert [sorted(run.passed) for run in measured.references.values()] == [["test_add", "test_names"]]
    assert measured.count().open == 0
    assert b"== 5" not in b"".join(measured.sources().values())
    transcripts = read_transcripts(run(folder, measured, RIGHT))
    assert measured.problems(transcripts) == []
    assert measured.counts(transcripts) == (2, 0)


@pytest.mark.parametrize("answer", [WRONG, EXIT, NO_RUN, ALL_PASS, FORGED, "raise SystemExit(0)"])
def test_wrong_and_hostile_answers_do_not_pass(measured: HiddenTests, folder: Path, answer: str) -> None:
    transcripts = read_transcripts(run(folder, measured, answer))
    assert measured.problems(transcripts)
    assert measured.counts(transcripts)[1] > 0


def test_results_have_pytests_own_ids(folder: Path) -> None:
    assert read_results(run(folder, HiddenTests(), RIGHT)) == {
        "test_calc.py::test_add": "passed",
        "test_calc.py::test_names": "passed",
    }
