"""Check the references of BigCodeBench, whose tasks use packages, in an environment of its own.

STEELYARD_BENCHMARKS names the folder of bigcodebench/BigCodeBench.jsonl.gz. Goal: 1,100 of 1,140 pass. The
lock is made from the packages that the tasks import, on the Python that Steelyard runs on:
    uv pip compile --only-binary :all: packages.in -o packages.lock
Run: STEELYARD_BENCHMARKS=… python -m perf.references_bigcodebench packages.lock [--log FILE]
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from perf.references import benchmarks_folder, cases_of
from steelyard.checks.python import PythonChecker
from steelyard.checks.python.environment import interpreter_of
from steelyard.model.case import Case
from steelyard.model.environment import Environment
from steelyard.model.outcome import Classification, Outcome
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

GOAL = 1100
WORKERS = 2
HEAVY = {
    "numpy": "numpy",
    "pandas": "pandas",
    "scipy": "scipy.stats",
    "matplotlib": "matplotlib.pyplot",
    "seaborn": "seaborn",
    "scikit-learn": "sklearn.linear_model",
    "requests": "requests",
}  # packages that take long to load, and what is used of them
# What a failure is about, by words of its message; the first that fits counts.
KINDS = {
    "missing package": r"ModuleNotFoundError|No module named",
    "missing data": r"LookupError|nltk_data|Resource .* not found",
    "network": r"URLError|ConnectionError|name resolution|Max retries|gaierror|NewConnection|Network is",
    "missing program": r"FileNotFoundError.*(bin|tesseract|ping|R\b)|TesseractNotFound",
    "display": r"DISPLAY|TclError|cannot connect to X",
    "rights": r"PermissionError|Read-only|Operation not permitted",
    "limit": r"MemoryError|timed out|time limit|can't start new thread",
    "version of a package": r"AttributeError|TypeError|ImportError|FutureWarning|DeprecationWarning",
}


def cases(folder: Path, environment: Environment) -> Iterator[tuple[Case, str]]:
    """Yield the tasks as cases, each with its reference."""
    for case in cases_of("bigcodebench", folder):
        yield replace(case, environment=environment), case.reference or ""


def warm_checker(environment: Environment) -> PythonChecker:
    """Return a checker whose warm interpreter has the packages at hand that take seconds to load."""
    interpreter = interpreter_of(environment)
    options = interpreter.warm_options()
    listed = {line.partition("==")[0].strip().lower() for line in environment.requirements.splitlines()}
    options["preload"] = (*options["preload"], *(HEAVY[name] for name in HEAVY if name in listed))
    return PythonChecker(WarmPythonSandbox(**options), interpreter=interpreter)


def kind_of(outcome: Outcome) -> str:
    """Return what a failure is about."""
    found = (kind for kind, words in KINDS.items() if re.search(words, outcome.detail))
    return next(found, str(outcome.facts.classification))


def main() -> int:
    """Check the references, and print how many pass and why the others do not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--task", help="check this one only, such as BigCodeBench/1")
    parser.add_argument("--log", type=Path, help="a line of JSON for each reference")
    parser.add_argument("--failed", type=Path, help="the log of an earlier run: check what failed in it")
    wanted = parser.parse_args()
    environment = Environment(requirements=wanted.lock.read_text(encoding="utf-8"))
    folder = benchmarks_folder()
    todo = [item for item in cases(folder, environment) if wanted.task in {None, item[0].id}]
    if wanted.failed:
        lines = map(json.loads, wanted.failed.read_text(encoding="utf-8").splitlines())
        failed = {case for case, kind, *_ in lines if kind != "pass"}
        todo = [item for item in todo if item[0].id in failed]
    checker = warm_checker(environment)
    log = wanted.log.open("w", encoding="utf-8") if wanted.log else None
    began, kinds = time.monotonic(), Counter[str]()

    def check(item: tuple[Case, str]) -> None:
        case, reference = item
        outcome = checker.check(case, reference)
        passed = outcome.facts.classification is Classification.PASS
        kind = "pass" if passed else kind_of(outcome)
        kinds[kind] += 1
        if log:
            print(json.dumps([case.id, kind, outcome.check_us, outcome.detail]), file=log, flush=True)

    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(check, todo))
    print(f"{kinds['pass']} of {len(todo)} references pass, {time.monotonic() - began:.0f} s")
    for kind, count in kinds.most_common():
        print(f"  {kind}: {count}")
    return 0 if wanted.task or wanted.failed or kinds["pass"] >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
