"""Prove the natural cases by plain pytest: right answers pass twice, wrong ones fail.

usage: python -m tests.checks.python_natural.prove [--python PYTHON] [--network] [NAME ...]

Without --python a fresh virtual environment with requirements.lock is made. Each run has a folder of its
own and no network (a network namespace of Linux), unless --network is given.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.checks.python_natural import natural_cases
from tests.checks.python_natural.natural_cases import NaturalCase

ENDED = re.compile(r"^\d+ (failed|error)", re.MULTILINE)  # exit code 1 alone may be Python's own
OFFLINE = ("unshare", "--net", "--map-root-user")
TIMEOUT_S = 300  # far more than any needs on an idle machine
PASSED, FAILED, COLLECTION_ERROR = 0, 1, 2
MAX_COLLECTION_ERRORS = 4
SETS: dict[str, Callable[[], Iterator[NaturalCase]]] = {
    "first": natural_cases.first_set,
    "second": natural_cases.second_set,
    "formerly_refused": natural_cases.formerly_refused,
}


def make_environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "-r",
        str(natural_cases.LOCK),
    ]
    subprocess.run(install, check=True)
    return python


def run_tests(prefix: list[str], case: NaturalCase, answer: str) -> tuple[int, str]:
    """Return pytest's exit code and its output without times and temporary names."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "case"
        case.write(workspace, answer)
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--basetemp", f"{folder}/basetemp"]
        command = [*prefix, "-m", "pytest", *options]
        done = subprocess.run(
            command, cwd=workspace, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    return done.returncode, re.sub(r" in [\d.]+s( \([\d:]+\))?", "", done.stdout.replace(folder, "FOLDER"))


def problems_of(prefix: list[str], case: NaturalCase) -> tuple[int, list[str]]:
    """Return the exit code of the wrong answer and what is not as it must be."""
    problems = []
    code, output = run_tests(prefix, case, case.solution)
    if code != PASSED:
        problems.append(f"the right answer ends with {code}:\n{output[-3000:]}")
    elif run_tests(prefix, case, case.solution) != (code, output):
        problems.append("the right answer differs between two runs")
    code, output = run_tests(prefix, case, case.wrong)
    if code not in {FAILED, COLLECTION_ERROR} or not ENDED.search(output):
        problems.append(f"the wrong answer ends with {code}:\n{output[-3000:]}")
    return code, problems


def prove(title: str, cases: list[NaturalCase], prefix: list[str]) -> bool:
    """Run one set and print its counts and problems."""
    results = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for case, result in zip(cases, pool.map(lambda case: problems_of(prefix, case), cases), strict=True):
            results.append(result)
            for problem in result[1]:
                print(f"{title}/{case.name}: {problem}", flush=True)
    ends = collections.Counter(code for code, _ in results)
    sound = sum(not problems for _, problems in results)
    print(
        f"{title}: {len(cases)} cases, {sound} proven; wrong answers: {ends[FAILED]} fail, "
        f"{ends[COLLECTION_ERROR]} stop collection"
    )
    return sound == len(cases) and ends[COLLECTION_ERROR] <= MAX_COLLECTION_ERRORS


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove the natural cases by plain pytest.")
    parser.add_argument("--python", type=Path, help="an environment with requirements.lock installed")
    parser.add_argument("--network", action="store_true", help="do not cut the network off")
    parser.add_argument("names", nargs="*", help="only these cases")
    arguments = parser.parse_args()
    if not arguments.network and not shutil.which(OFFLINE[0]):
        parser.error("needs unshare; --network runs without it")
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.python.absolute() if arguments.python else make_environment(Path(folder))
        prefix = [*(() if arguments.network else OFFLINE), str(python)]
        results = []
        for title, read in SETS.items():
            cases = [case for case in read() if not arguments.names or case.name in arguments.names]
            results.append(prove(title, cases, prefix))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
