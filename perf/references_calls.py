"""Check the references of HumanEval+ and MBPP+ as calls, and compare with EvalPlus' own checker.

Each input is a call; the expected value is the reference's result in a sandbox. All references must pass, and
no empty body. With --peers, EvalPlus checks the same answers with the same inputs: answers per second, goal
1.5. STEELYARD_BENCHMARKS names the folder of humanevalplus/HumanEvalPlus.jsonl.gz and
mbppplus/MbppPlus.jsonl.gz. The peers live in an environment of their own:
    python -m venv peers && peers/bin/pip install evalplus
Run: STEELYARD_BENCHMARKS=… python -m perf.references_calls [--peers P] [--limit N] [--only IDS]
"""

import argparse
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perf.references import benchmarks_folder, cases_of, reference_code
from steelyard.benchmarks.evalplus import TOLERANCE
from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.forms.calls.values import DictValue, SetValue, of_plain
from steelyard.checks.toolchains.drivers.driver import warm_options
from steelyard.model.case import Case
from steelyard.model.outcome import Classification
from steelyard.runner.check.expected import expecting, results_of_reference
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

GOAL = 1.5
WORKERS = 2
TIMEOUT_S = 1200.0
PEER = """
import pickle, sys, time
from concurrent.futures import ProcessPoolExecutor
from evalplus.eval import untrusted_check
def check(job): return untrusted_check(**job)[0]
if __name__ == "__main__":
    jobs = pickle.load(open(sys.argv[1], "rb"))
    began = time.perf_counter()
    with ProcessPoolExecutor(int(sys.argv[2])) as pool:
        verdicts = list(pool.map(check, jobs))
    print(len(jobs) / (time.perf_counter() - began), verdicts.count("pass"))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A record of one of the files: a case without expected values, its reference, and an empty answer."""

    case: Case
    reference: str
    empty: str
    dataset: str
    atol: float


def tasks(folder: Path, limit: int, only: str) -> Iterator[Task]:
    """Yield the tasks of both benchmarks, the first ones of each, or those with certain names."""
    ids = set(filter(None, only.split(",")))
    for dataset, name in (("humaneval", "humaneval+"), ("mbpp", "mbpp+")):
        for case in cases_of(name, folder)[: limit or None]:
            if not ids or case.id in ids:
                yield _task(case, dataset)


def _task(case: Case, dataset: str) -> Task:
    expectations, start = case.expectations, case.expectations.settings.get("prefix", "")
    bare = replace(case, timeout_s=TIMEOUT_S, expectations=replace(expectations, settings={"answer": "raw"}))
    return Task(
        case=bare,
        reference=reference_code(case),
        empty=f"{start}    pass\n" if start else f"def {expectations.function}(*args):\n    pass\n",
        dataset=dataset,
        # EvalPlus takes 0 for the tolerance that we name.
        atol=0.0 if expectations.tolerance == TOLERANCE else expectations.tolerance or 0.0,
    )


def with_expected(task: Task, sandbox: WarmPythonSandbox) -> Task:
    """Return a task with what its reference returns."""
    case = replace(task.case, reference=task.reference)
    return replace(task, case=expecting(case, results_of_reference(case, sandbox)))


def checked(checker: CallsChecker, answers: Iterable[tuple[Case, str]]) -> tuple[float, Counter[str]]:
    """Check answers and print surprising ones; return answers per second, and counts by outcome."""
    graded = list(answers)
    began = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        outcomes = list(pool.map(lambda item: checker.check(*item), graded))
    speed = len(graded) / (time.perf_counter() - began)
    for (case, text), outcome in zip(graded, outcomes, strict=True):
        is_right = outcome.facts.classification is Classification.PASS
        if is_right is text.endswith("pass\n"):
            sys.stdout.write(f"{case.id}: {outcome.facts.classification} {outcome.detail[:300]}\n")
    return speed, Counter(str(outcome.facts.classification) for outcome in outcomes)


def peer(python: str, graded: list[Task], folder: Path) -> str:
    """Check the references with EvalPlus; return answers per second and passes."""
    jobs = [
        {
            "dataset": task.dataset,
            "code": task.reference,
            "entry_point": task.case.expectations.function,
            "inputs": [[native(value) for value in call.args] for call in task.case.expectations.calls],
            "expected": [native(call.returns) for call in task.case.expectations.calls],
            "atol": task.atol,
            "ref_time": [1.0] * len(task.case.expectations.calls),
        }
        for task in graded
    ]
    (folder / "jobs").write_bytes(pickle.dumps(jobs))
    (folder / "peer.py").write_text(PEER, encoding="utf-8")
    argv = [python, str(folder / "peer.py"), str(folder / "jobs"), str(WORKERS)]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def native(value: Any) -> Any:  # noqa: ANN401  # any plain data
    """Return plain data as Python's own types."""
    return _untagged(of_plain(value))


def _untagged(value: Any) -> Any:  # noqa: ANN401  # any plain data
    match value:
        case SetValue():
            return {_untagged(item) for item in value.items}
        case DictValue():
            return {_untagged(key): _untagged(item) for key, item in value.pairs}
        case list():
            return [_untagged(item) for item in value]
        case tuple():
            return tuple(_untagged(item) for item in value)
        case dict():
            return {key: _untagged(item) for key, item in value.items()}
    return value


def main() -> None:
    """Check both files and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folder = benchmarks_folder()
    sandbox = WarmPythonSandbox(**warm_options())
    with ThreadPoolExecutor(WORKERS) as pool:
        all_tasks = tasks(folder, options.limit, options.only)
        expected = list(pool.map(lambda task: with_expected(task, sandbox), all_tasks))
    for dataset in ("humaneval", "mbpp"):
        of_dataset = [task for task in expected if task.dataset == dataset]
        if not of_dataset:
            continue
        checker = CallsChecker(sandbox)
        speed, ended = checked(checker, ((task.case, task.reference) for task in of_dataset))
        sys.stdout.write(f"{dataset}: references {dict(ended)} at {speed:.1f} answers/s\n")
        speed, ended = checked(checker, ((task.case, task.reference) for task in of_dataset))
        sys.stdout.write(f"{dataset}: again {dict(ended)} at {speed:.1f} answers/s\n")
        _, ended = checked(checker, ((task.case, task.empty) for task in of_dataset))
        sys.stdout.write(f"{dataset}: empty bodies {dict(ended)}\n")
        if options.peers:
            with tempfile.TemporaryDirectory() as scratch:
                output = peer(options.peers, of_dataset, Path(scratch))
            sys.stdout.write(f"{dataset}: EvalPlus, answers/s and passes: {output}\n")


if __name__ == "__main__":
    main()
