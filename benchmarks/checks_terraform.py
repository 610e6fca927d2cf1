"""Weigh a sandboxed Terraform check against bare `init -backend=false` and `validate -json`.

Both sides in turns, ratio of medians, goal 1.2. With --repeat N two answers are checked N times in all while
every core is kept busy, and the outcomes of each must be equal.
Run: python -m benchmarks.checks_terraform [--rounds 40] [--repeat 0]
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.under_load import busy_cores
from steelyard.checks.terraform.checker import TerraformChecker
from steelyard.model.case import Case
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

GOAL_RATIO = 1.2
BROKEN = """\
variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "web" {
  input = var.sise
}

output "web" {
  value = terraform_data.web.output
}
"""
RIGHT = BROKEN.replace("sise", "size")
CASE = Case(id="repair", language="terraform", files={"main.tf": BROKEN})
ENV = {"PATH": os.environ["PATH"], "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull}


def bare() -> None:
    """Do by hand what a check does."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.tf").write_text(RIGHT, encoding="utf-8")
        for words in (["init", "-backend=false"], ["validate", "-json"]):
            subprocess.run(["terraform", *words], cwd=folder, env=ENV, check=True, capture_output=True)


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work took."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def repeated(checker: TerraformChecker, count: int) -> bool:
    """Check a right and a wrong answer many times under load; whether each gave one outcome only."""
    answers = [RIGHT, BROKEN] * (count // 2)
    with busy_cores(3600), ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda answer: checker.check(CASE, answer), answers))
    kinds = Counter((repr(outcome.facts), outcome.detail) for outcome in outcomes)
    print(f"{len(outcomes)} checks under load: {len(kinds)} different outcomes (2 expected)")
    return len(kinds) == 2 and len(set(kinds.values())) == 1  # noqa: PLR2004  # one for each answer


def main() -> int:
    """Measure, and say whether the goal is reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=0)
    arguments = parser.parse_args()
    checker = TerraformChecker(BubblewrapSandbox())
    if arguments.repeat:
        return int(not repeated(checker, arguments.repeat))
    sides = {"bare": bare, "sandboxed": lambda: checker.check(CASE, RIGHT)}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(arguments.rounds):
        for name, work in sides.items():
            taken[name].append(seconds(work))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    for name, median in medians.items():
        print(f"{name:10} {median * 1000:7.1f} ms")
    ratio = medians["sandboxed"] / medians["bare"]
    print(f"ratio {ratio:.2f} (goal {GOAL_RATIO})")
    return int(ratio > GOAL_RATIO)


if __name__ == "__main__":
    sys.exit(main())
