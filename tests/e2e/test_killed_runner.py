"""Killing `steelyard run` at random moments, in small; `perf/kill_runner.py` does it 100 times."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from perf.kill_runner import killed_often
from tests.patience import wait_until
from tests.sandbox.traces import descendants

KILLS = 3
SPINNING = """
[eval_set]
id = "spinning"
default_timeout_secs = 100
[[cases]]
id = "spin"
language = "python"
prompt = "Spin."
[cases.expectations]
functions = ["spin"]
tests = '''
def test_spin():
    spin()
'''
"""
ANSWER = "```python\ndef spin():\n    while True:\n        pass\n```"
CHECKING = 4  # the sandbox, its first process, the interpreter that waits, and the one that spins


@pytest.mark.timeout(900)
def test_a_run_that_is_killed_again_and_again_generates_no_committed_answer_twice(tmp_path: Path) -> None:
    found = killed_often(tmp_path, kills=KILLS, seed=3, samples=4)

    assert found.kills == KILLS
    assert (found.redrawn, found.repeated) == (0, 0)
    assert (found.lost, found.doubled) == (0, 0)
    assert found.is_exact
    assert found.is_as_replayed
    assert found.is_as_calm
    assert found.requests == found.planned + found.wasted


def test_a_killed_run_takes_the_checks_that_are_under_way_with_it(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text(SPINNING, encoding="utf-8")
    line = json.dumps({"model": "lab/m", "case": "spin", "text": ANSWER})
    (tmp_path / "answers.jsonl").write_text(line, encoding="utf-8")
    words = ["run", "--eval-set", "set.toml", "--replay", "answers.jsonl", "--quiet"]

    with subprocess.Popen([sys.executable, "-m", "steelyard", *words], cwd=tmp_path) as driver:
        wait_until(lambda: len(descendants(driver.pid)) >= CHECKING)
        below = descendants(driver.pid)
        driver.kill()

    wait_until(lambda: not any(is_alive(pid) for pid in below))


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
