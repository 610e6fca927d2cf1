"""Compare the speed of grading Python answers with EvalPlus, a bare fork and an earlier commit.

All grade the references of HumanEval, two at a time: Steelyard and the fork by the original tests, EvalPlus
by its base inputs, and Steelyard again by the same tests under pytest. They take turns, so other load meets
all of them; only ratios count. The first round is reported apart, as Steelyard prepares each case in it.
--evalplus names the Python of an environment with EvalPlus (`pip install evalplus`), --before the tree of an
earlier commit. STEELYARD_BENCHMARKS names the folder of the benchmarks. Goals: as fast as EvalPlus; pytest
cases 2.5 times as fast as at 447b9aae.
Run: STEELYARD_BENCHMARKS=… python -m perf.grading_speed [--evalplus P] [--before TREE] [--rounds 5]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import steelyard
from perf.references import benchmarks_folder, cases_of, reference_code
from steelyard.sources.benchmark_data.places import local_files
from steelyard.sources.benchmark_data.records import read_records

ROUND = """
for _ in sys.stdin:
    started = time.perf_counter()
    verdicts = list(pool.map(check, jobs))
    print(len(jobs) / (time.perf_counter() - started), sum(verdicts), flush=True)
"""
STEELYARD = f"""
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.model.case import Case, Expectations
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
checker = PythonChecker(WarmPythonSandbox(**this_interpreter().warm_options()))
jobs = [
    (Case(id=job["id"], language="python", timeout_s=60.0,
          expectations=Expectations(tests=job["tests"], settings={{"answer": "raw", **job["settings"]}})),
     job["answer"])
    for job in json.load(open(sys.argv[1]))
]
check = lambda job: checker.check(*job).facts.classification.value == "pass"
pool = ThreadPoolExecutor(2)
{ROUND}
"""
FORK = f"""
import json, sys, time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from perf.official import human_eval
jobs = [job["program"] for job in json.load(open(sys.argv[1]))]
check = partial(human_eval, timeout_s=60.0)
pool = ProcessPoolExecutor(2)
{ROUND}
"""
EVALPLUS = f"""
import copy, json, sys, time
from concurrent.futures import ProcessPoolExecutor
from evalplus.eval import untrusted_check
def job_of(record):
    names = {{}}
    exec(record["answer"], names)
    inputs = record["inputs"]
    expected = [names[record["function"]](*copy.deepcopy(item)) for item in inputs]
    return dict(dataset="humaneval", code=record["answer"], entry_point=record["function"], inputs=inputs,
                expected=expected, atol=0, ref_time=[1.0] * len(inputs))
def check(job): return untrusted_check(**job)[0] == "pass"
jobs = [job_of(record) for record in json.load(open(sys.argv[1]))]
pool = ProcessPoolExecutor(2)
{ROUND}
"""


class Contestant(NamedTuple):
    """A process that grades all answers once for each line on its standard input."""

    name: str
    process: subprocess.Popen[str]

    def grade(self) -> tuple[float, int]:
        """Return answers per second and passes of one round."""
        if self.process.stdin is None or self.process.stdout is None:
            raise ValueError("a contestant needs pipes")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        rate, passes = self.process.stdout.readline().split()
        return float(rate), int(passes)


def jobs_of(folder: Path) -> dict[str, list[dict[str, object]]]:
    """Return HumanEval's references by form of their tests: script, pytest, or EvalPlus' inputs."""
    plus = steelyard.find_benchmark("humaneval+")
    inputs = {
        record["task_id"]: (record["entry_point"], record["base_input"])
        for file in local_files(plus, "", folder)
        for record in read_records(file.path)
    }
    jobs: dict[str, list[dict[str, object]]] = {"script": [], "pytest": [], "evalplus": []}
    for case in cases_of("humaneval", folder):
        answer, tests = reference_code(case), case.expectations.tests
        function, base = inputs[case.id]
        program = f"{answer}\n{tests}\ncheck({function})\n"
        script = {"id": case.id, "answer": answer, "tests": tests, "settings": {"entry_point": function}}
        under_pytest = (
            f"import pytest\nfrom solution import *\n{tests}\ndef test_it():\n    check({function})\n"
        )
        jobs["script"].append({**script, "program": program})
        jobs["pytest"].append({**script, "tests": under_pytest, "settings": {}})
        jobs["evalplus"].append({"answer": answer, "function": function, "inputs": base})
    return jobs


def start(name: str, python: str, script: str, jobs: Path, source: Path) -> Contestant:
    """Start a contestant with `source` as its tree of Steelyard."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source / "src"), str(source)])}
    process = subprocess.Popen(
        [python, "-c", script, str(jobs)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    return Contestant(name, process)


def report(rates: Mapping[str, Sequence[float]], base: str) -> None:
    """Print first and median rates, and the median of each round's ratio to `base`."""
    for name, values in rates.items():
        ratios = [rate / other for rate, other in zip(values[1:], rates[base][1:], strict=True)]
        print(
            f"{name}: first round {values[0]:.1f}, then {median(values[1:]):.1f} answers/s, "
            f"{median(ratios):.2f} of {base} (rounds {min(ratios):.2f} to {max(ratios):.2f})"
        )


def main() -> int:
    """Run the rounds and print the rates; return 1 if an answer fails or a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evalplus", help="a Python with EvalPlus")
    parser.add_argument("--before", type=Path, help="the tree of an earlier commit")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="only so many answers")
    options = parser.parse_args()
    here = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as scratch:
        files = {form: Path(scratch) / f"{form}.json" for form in ("script", "pytest", "evalplus")}
        for form, jobs in jobs_of(benchmarks_folder()).items():
            files[form].write_text(json.dumps(jobs[: options.limit]), encoding="utf-8")
        contestants = [
            start("a bare fork", sys.executable, FORK, files["script"], here),
            start("Steelyard", sys.executable, STEELYARD, files["script"], here),
            start("Steelyard, pytest", sys.executable, STEELYARD, files["pytest"], here),
        ]
        if options.evalplus:
            contestants.append(start("EvalPlus", options.evalplus, EVALPLUS, files["evalplus"], here))
        for form, name in (("script", "before"), ("pytest", "before, pytest")) if options.before else ():
            contestants.append(start(name, sys.executable, STEELYARD, files[form], options.before))
        rates: dict[str, list[float]] = {item.name: [] for item in contestants}
        for _ in range(options.rounds + 1):
            for contestant in contestants:
                rate, passes = contestant.grade()
                rates[contestant.name].append(rate)
                print(f"{contestant.name}: {rate:.1f} answers/s, {passes} pass", flush=True)
        for contestant in contestants:
            contestant.process.communicate("")
    report(rates, "a bare fork")
    goals = [("Steelyard", "EvalPlus", 1.0), ("Steelyard, pytest", "before, pytest", 2.5)]
    met = True
    for name, base, goal in goals:
        if base in rates:
            ratio = median(rate / other for rate, other in zip(rates[name][1:], rates[base][1:], strict=True))
            met = met and ratio >= goal
            print(f"{name}: {ratio:.2f} of {base}, goal {goal}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
