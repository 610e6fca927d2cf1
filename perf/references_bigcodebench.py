"""Check the references of BigCodeBench with their packages, the heavy ones preloaded.

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
from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.environment import interpreter_of
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
}  # packages that are slow to load, and the module to preload
# Reasons of failures by patterns of their messages; the first match counts.
REASONS = {
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
    """Return a checker whose warm interpreter has slow packages loaded."""
    interpreter = interpreter_of(environment)
    options = interpreter.warm_options()
    listed = {line.partition("==")[0].strip().lower() for line in environment.requirements.splitlines()}
    options["preload"] = (*options["preload"], *(HEAVY[name] for name in HEAVY if name in listed))
    return PythonChecker(WarmPythonSandbox(**options), interpreter=interpreter)


def reason_of(outcome: Outcome) -> str:
    """Return the reason of a failure."""
    reasons = (reason for reason, words in REASONS.items() if re.search(words, outcome.detail))
    return next(reasons, str(outcome.facts.classification))


def main() -> int:
    """Check the references; print how many pass and why others fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--task", help="check only this task, such as BigCodeBench/1")
    parser.add_argument("--log", type=Path, help="a line of JSON for each reference")
    parser.add_argument("--failed", type=Path, help="the log of an earlier run: check its failures again")
    options = parser.parse_args()
    environment = Environment(requirements=options.lock.read_text(encoding="utf-8"))
    folder = benchmarks_folder()
    tasks = [item for item in cases(folder, environment) if options.task in {None, item[0].id}]
    if options.failed:
        lines = map(json.loads, options.failed.read_text(encoding="utf-8").splitlines())
        failed = {case for case, reason, *_ in lines if reason != "pass"}
        tasks = [item for item in tasks if item[0].id in failed]
    checker = warm_checker(environment)
    log = options.log.open("w", encoding="utf-8") if options.log else None
    began, reasons = time.monotonic(), Counter[str]()

    def check(item: tuple[Case, str]) -> None:
        case, reference = item
        outcome = checker.check(case, reference)
        passed = outcome.facts.classification is Classification.PASS
        reason = "pass" if passed else reason_of(outcome)
        reasons[reason] += 1
        if log:
            print(json.dumps([case.id, reason, outcome.check_us, outcome.detail]), file=log, flush=True)

    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(check, tasks))
    print(f"{reasons['pass']} of {len(tasks)} references pass, {time.monotonic() - began:.0f} s")
    for reason, count in reasons.most_common():
        print(f"  {reason}: {count}")
    return 0 if options.task or options.failed or reasons["pass"] >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
