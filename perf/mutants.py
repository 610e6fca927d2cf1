"""Grade thousands of mutated references by Steelyard and by the official rule; count differing verdicts.

Each mutant is a reference of HumanEval or MBPP with one change, graded by the Python checker and by the
benchmark's own rule: the program with its tests runs in a bare process. With --calls, mutants of HumanEval+
and MBPP+ are graded by `calls` and by EvalPlus' rule. Some mutants pass; the verdicts must be equal, and
differing ones are checked again, alone and with more time. STEELYARD_BENCHMARKS names the folder of the
benchmarks. Goal: no difference.
Run: STEELYARD_BENCHMARKS=… python -m perf.mutants [--count 2400] [--calls 300]
"""

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from perf import references, references_calls
from perf.official import EvalPlusJob, evalplus, human_eval
from steelyard.auditing.mutations import Mutant, mutant, places
from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.toolchains.drivers.driver import warm_options
from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.model.case import Case
from steelyard.model.graded import Compare
from steelyard.model.outcome import Classification
from steelyard.ports import Checker
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

SEED = 14
TIMEOUT_S, CALLS_TIMEOUT_S = 5.0, 20.0
TOO_SLOW = frozenset({"Mbpp/255", "Mbpp/599"})  # whose references take a minute and more
MORE_TIME = 10  # for a second try
FORKED = multiprocessing.get_context("fork")
Verdict = Callable[[float], bool]  # the official rule, with a time limit


class Graded(NamedTuple):
    """A mutant with the case it is an answer to, and the official rule for it."""

    case: Case
    mutant: Mutant
    official: Verdict


class Counts(NamedTuple):
    """How verdicts on mutants compare."""

    passed: int  # by both
    failed: int  # by both
    differences: list[str]

    @property
    def text(self) -> str:
        """The counts in one line."""
        return (
            f"{self.passed + self.failed + len(self.differences)} mutants: {self.passed} pass and "
            f"{self.failed} fail by both rules, {len(self.differences)} differ"
        )


def tested(folder: Path, count: int) -> list[Graded]:
    """Return a random sample of all mutants of HumanEval and MBPP."""
    mutants = []
    for name in ("humaneval", "mbpp-all"):
        for task in references.cases_of(name, folder):
            settings = {**task.expectations.settings, "answer": "raw"}
            settings.pop("prefix", "")
            source = references.reference_code(task)
            case = replace(task, expectations=replace(task.expectations, settings=settings))
            mutants += [(case, source, place, number) for place, number in places(source)]
    sample = random.Random(SEED).sample(mutants, min(count, len(mutants)))  # the same each time
    return [_graded(case, mutant(source, place, number)) for case, source, place, number in sample]


def _graded(case: Case, made: Mutant) -> Graded:
    entry = case.expectations.settings.get("entry_point")
    called = f"check({entry})\n" if entry else ""
    program = f"{made.source}\n{case.expectations.tests}\n{called}"
    return Graded(case, made, partial(human_eval, program))


def evalplus_job(task: references_calls.Task, answer: str) -> EvalPlusJob:
    """Return the inputs of EvalPlus' rule for an answer."""
    expectations = task.case.expectations
    return EvalPlusJob(
        dataset=task.dataset,
        function=expectations.function,
        reference=task.reference,
        answer=answer,
        inputs=[[references_calls.native(item) for item in call.args] for call in expectations.calls],
        atol=task.atol,
        unordered=expectations.compare is Compare.SET,
        present=expectations.compare is Compare.EXISTS,
    )


def compared(
    checker: Checker, graded: Sequence[Graded], pool: Executor, timeout_s: float, workers: int
) -> Counts:
    """Compare Steelyard's verdicts with the official ones, computed in `pool`."""

    def theirs(batch: Sequence[Graded], limit_s: float) -> list[bool]:
        return list(pool.map(partial(_verdict, timeout_s=limit_s), [item.official for item in batch]))

    def ours(item: Graded, limit_s: float) -> tuple[bool, str]:
        outcome = checker.check(replace(item.case, timeout_s=limit_s), item.mutant.source)
        classification = outcome.facts.classification
        return (
            classification is Classification.PASS,
            f"{classification} {' '.join(outcome.detail.split())[:300]}",
        )

    official = theirs(graded, timeout_s)
    with ThreadPoolExecutor(workers) as threads:
        verdicts = list(threads.map(lambda item: ours(item, timeout_s), graded))
    counts, differences = Counter[bool](), []
    for item, theirs_first, ours_first in zip(graded, official, verdicts, strict=True):
        expected, (passes, detail) = theirs_first, ours_first
        if passes is not expected:  # a busy machine may have stopped either of them
            (expected,) = theirs([item], MORE_TIME * timeout_s)
            passes, detail = ours(item, MORE_TIME * timeout_s)
        if passes is expected:
            counts[passes] += 1
        else:
            differences.append(f"{item.case.id}, {item.mutant.change}: official {expected}, ours {detail}")
    return Counts(counts[True], counts[False], differences)


def _verdict(official: Verdict, timeout_s: float) -> bool:
    return official(timeout_s)


def by_tests(folder: Path, count: int, workers: int) -> Counts:
    """Grade mutants of HumanEval and MBPP by their tests."""
    graded = tested(folder, count)
    with ProcessPoolExecutor(workers, mp_context=FORKED) as pool:
        pool.submit(int).result()  # the processes are forked now, before there are threads
        sandbox = WarmPythonSandbox(**this_interpreter().warm_options())
        try:
            return compared(PythonChecker(sandbox), graded, pool, TIMEOUT_S, workers)
        finally:
            sandbox.close()


def by_calls(folder: Path, count: int, workers: int) -> Counts:
    """Grade one mutant of each task of HumanEval+ and MBPP+ by the reference's results."""
    generator = random.Random(SEED)  # the same each time
    tasks = [task for task in references_calls.tasks(folder, 0, "") if task.case.id not in TOO_SLOW]
    sample = generator.sample(tasks, min(count, len(tasks)))
    made = [mutant(task.reference, *generator.choice(places(task.reference))) for task in sample]
    with ProcessPoolExecutor(workers, mp_context=FORKED) as pool:
        pool.submit(int).result()
        sandbox = WarmPythonSandbox(**warm_options())
        try:
            with ThreadPoolExecutor(workers) as threads:
                expected = list(
                    threads.map(lambda task: references_calls.with_expected(task, sandbox), sample)
                )
            graded = [
                Graded(task.case, item, partial(evalplus, evalplus_job(task, item.source)))
                for task, item in zip(expected, made, strict=True)
            ]
            return compared(CallsChecker(sandbox), graded, pool, CALLS_TIMEOUT_S, workers)
        finally:
            sandbox.close()


def main() -> int:
    """Compare the verdicts; return 1 if any differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2400, help="mutants of HumanEval and MBPP")
    parser.add_argument("--calls", type=int, default=300, help="mutants of HumanEval+ and MBPP+")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    folder = references.benchmarks_folder()
    wrong = 0
    for name, grade, count in (("tests", by_tests, options.count), ("calls", by_calls, options.calls)):
        if count:
            counts = grade(folder, count, options.workers)
            print(f"{name}: {counts.text}")
            print("\n".join(counts.differences))
            wrong += len(counts.differences)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
