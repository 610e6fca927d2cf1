"""Weigh what the runner adds to a sandboxed check of about 100 ms: drawing, committing, scheduling.

The bare side calls the same checker for the same answers on as many threads, with nothing around it; the
runner draws the answers from a record, keeps them, checks them, keeps the outcomes and puts the run in order.
Both sides in turns, so that a noisy machine hits both alike; the ratio of medians counts, goal 1.10.
Run: python -m benchmarks.runner_overhead [--samples 200] [--rounds 5] [--engine local]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.sample import Sample
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import read_answers

GOAL = 1.10
THREADS = os.cpu_count() or 1
TESTS = """
def test_twice():
    assert twice(2) == 4
"""
ANSWER = """import time

def twice(x):  # {}
    until = time.process_time() + 0.09
    while time.process_time() < until:
        pass
    return 2 * x
"""
CASE = Case(id="twice", language="python", prompt="Double it.", expectations=Expectations(tests=TESTS))
EVAL_SET = EvalSet(id="overhead", cases=(CASE,), suites=(Suite(id="default"),))


def main() -> int:
    """Measure both sides in turns, print, and return 1 if the goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engine", default="local")
    given = parser.parse_args()
    answers = [ANSWER.format(number) for number in range(given.samples)]
    checking = Checking(make_sandbox(), share=False)
    bare, whole = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as scratch:
        run = _runner(Path(scratch), answers, given.engine)
        for _ in range(given.rounds):
            bare.append(_seconds(lambda: _checked(checking, answers)))
            whole.append(_seconds(run))
            print(f"bare {bare[-1]:.2f} s, runner {whole[-1]:.2f} s", flush=True)
    ratio = statistics.median(whole) / statistics.median(bare)
    each = [statistics.median(times) / given.samples * 1e3 * THREADS for times in (bare, whole)]
    print(f"a check, bare {each[0]:.1f} ms, with the runner {each[1]:.1f} ms; {THREADS} at a time")
    print(f"ratio {ratio:.3f}, goal {GOAL}: {'met' if ratio <= GOAL else 'MISSED'}")
    return 0 if ratio <= GOAL else 1


def _checked(checking: Checking, answers: list[str]) -> None:
    def one(answer: str) -> Outcome:
        return checking.outcome(CASE, Sample(model="m", case=CASE.id, digest="d", attempt=0, text=answer))

    with ThreadPoolExecutor(THREADS) as pool:
        outcomes = list(pool.map(one, answers))
    _refuse_failures(
        [outcome for outcome in outcomes if outcome.facts.classification is not Classification.PASS]
    )


def _runner(scratch: Path, answers: list[str], engine: str) -> Callable[[], None]:
    path = scratch / "answers.jsonl"
    lines = [json.dumps({"case": CASE.id, "text": answer}) for answer in answers]
    path.write_text("\n".join(lines), encoding="utf-8")
    provider = ReplayProvider(read_answers(path).find, where=str(path))
    plan: RunPlan = plan_run(EVAL_SET, RunOptions(models=("replay/m",), samples=len(answers)))
    # Made once, as is the bare side's: what a process takes to start is told elsewhere.
    resources = RunResources(
        EVAL_SET, plan.subjects, RunSettings(instead=provider, engine=engine, share=False)
    )

    def run() -> None:
        store = begin_run(plan, str(scratch / f"run-{time.monotonic_ns()}"))
        total = execute(store, EVAL_SET, resources, progress=lambda _: None).progress.total
        _refuse_failures(["a sample"] * (plan.total - total.passed))

    return run


def _refuse_failures(failed: list[object]) -> None:
    if failed:
        raise SystemExit(f"{len(failed)} of the answers did not pass, such as {failed[0]}")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
