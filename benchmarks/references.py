"""Check the reference answers of public benchmarks, which must pass, and empty ones, which must not.

Reads HumanEval, MBPP, CRUXEval and ClassEval from the folder that STEELYARD_BENCHMARKS names; none of their
text is part of this project. Every answer goes through the real checker in a warm sandbox. With --sample N
only every N-th task is checked. Says which references fail and which empty answers pass, and how many
answers a second were checked; the exit code is 1 if either list is longer than it must be.
Run: STEELYARD_BENCHMARKS=folder python -m benchmarks.references [--sample 1] [--workers 4] [--only mbpp]
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from steelyard.checks.python import PythonChecker
from steelyard.checks.python.interpreter import this_interpreter
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Isolation, Outcome
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

FOLDER_ENV = "STEELYARD_BENCHMARKS"
TIMEOUT_S = 60.0
# ClassEval's references that fail anywhere: 17 by the clock, 48 by the name of the machine.
FAIL_ANYWHERE = {"ClassEval_17", "ClassEval_48"}
# Whose tests change or replace objects inside the answer's.
SHARE_OBJECTS = {"ClassEval_4", "ClassEval_67", "ClassEval_84", "ClassEval_98"}


class BenchmarkTask(NamedTuple):
    """A task of a benchmark with an answer that is right and one that does nothing."""

    case: Case
    right: str
    empty: str


class BenchmarkRound(NamedTuple):
    """What came of all answers to a benchmark."""

    checked: int
    failing: list[str]  # references that do not pass
    forged: list[str]  # empty answers that pass
    per_second: float


def _case(name: str, tests: str, isolation: Isolation | None = None, **settings: str) -> Case:
    wanted = Expectations(tests=tests, settings={"answer": "raw", **settings}, isolation=isolation)
    return Case(id=name, language="python", timeout_s=TIMEOUT_S, expectations=wanted)


def humaneval(folder: Path) -> Iterator[BenchmarkTask]:
    """Give the tasks of HumanEval."""
    with gzip.open(folder / "humaneval" / "HumanEval.jsonl.gz", "rt", encoding="utf-8") as lines:
        for task in map(json.loads, lines):
            case = _case(
                task["task_id"], task["test"], entry_point=task["entry_point"], prefix=task["prompt"]
            )
            yield BenchmarkTask(case, task["canonical_solution"], "    pass\n")


def mbpp(folder: Path) -> Iterator[BenchmarkTask]:
    """Give the tasks of MBPP."""
    for task in map(json.loads, (folder / "mbpp" / "mbpp.jsonl").read_text(encoding="utf-8").splitlines()):
        tests = "\n".join([task["test_setup_code"], *task["test_list"], *task["challenge_test_list"]])
        case = _case(f"mbpp/{task['task_id']}", tests)
        yield BenchmarkTask(case, task["code"], "pass\n")


def cruxeval(folder: Path) -> Iterator[BenchmarkTask]:
    """Give the programs of CRUXEval, each with the one result that is known."""
    for task in map(json.loads, (folder / "cruxeval" / "cruxeval.jsonl").read_text().splitlines()):
        case = _case(f"cruxeval/{task['id']}", f"assert f({task['input']}) == {task['output']}\n")
        yield BenchmarkTask(case, task["code"], "def f(*a, **k): pass\n")


def classeval(folder: Path) -> Iterator[BenchmarkTask]:
    """Give the tasks of ClassEval whose modules are those of the standard library."""
    for task in json.loads((folder / "classeval" / "ClassEval_data.json").read_text(encoding="utf-8")):
        if task["task_id"] in FAIL_ANYWHERE or _needs_packages(task):
            continue
        isolation = Isolation.SHARED if task["task_id"] in SHARE_OBJECTS else None
        imports = "\n".join(task["import_statement"])
        case = _case(task["task_id"], f"{imports}\n{task['test']}", isolation, runner="direct")
        empty = f"class {task['class_name']}:\n    def __init__(self, *a, **k): pass\n"
        yield BenchmarkTask(case, f"{imports}\n{task['solution_code']}", empty)


def _needs_packages(task: dict[str, str]) -> bool:
    words = ("numpy", "pandas", "sklearn", "PIL", "bs4", "nltk", "docx", "PyPDF2", "openpyxl", "gensim")
    text = f"{task['solution_code']}\n{task['test']}"
    return any(f"import {word}" in text or f"from {word}" in text for word in words)


BENCHMARKS: dict[str, Callable[[Path], Iterator[BenchmarkTask]]] = {
    "humaneval": humaneval,
    "mbpp": mbpp,
    "cruxeval": cruxeval,
    "classeval": classeval,
}


def run(checker: PythonChecker, tasks: list[BenchmarkTask], workers: int) -> BenchmarkRound:
    """Check the right and the empty answer to each task."""
    answers = [(task.case, text) for task in tasks for text in (task.right, task.empty)]
    began = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(lambda item: checker.check(*item), answers))
    speed = len(answers) / (time.perf_counter() - began)
    right, empty = outcomes[::2], outcomes[1::2]
    failing = [
        f"{task.case.id}: {found.facts.classification} {found.detail[:300]}"
        for task, found in zip(tasks, right, strict=True)
        if not _passes(found)
    ]
    forged = [task.case.id for task, found in zip(tasks, empty, strict=True) if _passes(found)]
    return BenchmarkRound(len(answers), failing, forged, speed)


def _passes(outcome: Outcome) -> bool:
    return outcome.facts.classification is Classification.PASS


def benchmarks_folder() -> Path:
    """Return the folder with the benchmarks; without one there is nothing to check."""
    folder = os.environ.get(FOLDER_ENV)
    if not folder:
        raise SystemExit(f"{FOLDER_ENV} names no folder: nothing to check")
    return Path(folder)


def main() -> int:
    """Check every benchmark; tell by the exit code whether all references pass, and no empty answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=1, help="check every N-th task")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--only", choices=sorted(BENCHMARKS))
    options = parser.parse_args()
    folder = benchmarks_folder()
    sandbox = WarmPythonSandbox(**this_interpreter().warm_options())
    wrong = 0
    for name, read in BENCHMARKS.items():
        if options.only in {None, name}:
            found = run(PythonChecker(sandbox), list(read(Path(folder)))[:: options.sample], options.workers)
            print(
                f"{name}: {found.checked} answers, {found.per_second:.0f}/s, "
                f"{len(found.failing)} references fail, {len(found.forged)} empty answers pass"
            )
            print("\n".join([*found.failing, *found.forged]))
            wrong += len(found.failing) + len(found.forged)
    sandbox.close()
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
