"""Measure what an answer costs in each sandbox, and write the table on the page about them.

All sandboxes take turns in the same run, so that a busy machine is equally busy for all. With `--keep` the
figures go to where the page takes them from. Run: python -m perf.sandboxes [--rounds 9] [--keep]
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from perf.sandbox import TRUE, medians_ms
from scripts.measured_at import DATA, caption, stamp
from steelyard.model.outcome import Classification
from steelyard.ports import Checker, Sandbox
from steelyard.runner.check.checkers import Checkers
from steelyard.runner.check.sandboxes import make_sandbox
from tests.checks.checkers import SHIPPED, Shipped

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "sandbox.md"
MARKED = re.compile(r"(?<=<!-- figures of the sandboxes -->\n\n).*?(?=<!-- end of figures -->)", re.DOTALL)
SANDBOXES = ("bubblewrap", "oci", "gvisor")
LANGUAGES = {"python": "Python", "command": "C", "rust": "Rust", "terraform": "Terraform"}
START = "a program that does nothing"
PATIENT_S = 300.0  # a right answer passes on a busy machine too

Medians = dict[str, dict[str, float]]


def checks(checker: Checker, shipped: Shipped) -> Callable[[], object]:
    """Return what checks the right answer of a checker once, and insists that it is right."""
    case = replace(shipped.case, timeout_s=PATIENT_S)

    def check() -> None:
        outcome = checker.check(case, shipped.right)
        if outcome.facts.classification is not Classification.PASS:
            raise SystemExit(f"the right answer did not pass: {outcome}")

    return check


def measure(rounds: int, languages: Collection[str]) -> Medians:
    """Return the median milliseconds of each kind of work in each sandbox."""
    boxes = {name: make_sandbox(name) for name in SANDBOXES}
    checkers = {name: Checkers(box) for name, box in boxes.items()}
    works: dict[str, dict[str, Callable[[], object]]] = {
        START: {name: _starts(box) for name, box in boxes.items()}
    }
    for shipped in SHIPPED:
        if shipped.name in languages:
            works[f"an answer in {LANGUAGES[shipped.name]}"] = {
                name: checks(checkers[name].of(shipped.case), shipped) for name in SANDBOXES
            }
    return {what: _medians(sides, rounds) for what, sides in works.items()}


def _starts(box: Sandbox) -> Callable[[], object]:
    return lambda: box.run(TRUE)


def _medians(sides: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    for side in sides.values():
        side()  # what is kept for later is there now
    return {name: round(value, 1) for name, value in medians_ms(sides, rounds).items()}


def table(medians: Medians) -> str:
    """Return the table: milliseconds in the first sandbox, and how many times as much in the others."""
    first, *others = SANDBOXES
    head = ["", f"{first}, ms", *(f"{name}, times as much" for name in others)]
    rows = [
        [what, f"{sides[first]:.0f}", *(f"{sides[name] / sides[first]:.1f}" for name in others)]
        for what, sides in medians.items()
    ]
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def with_figures(text: str) -> str:
    """Return the page with what was measured last."""
    data: dict[str, Any] = json.loads((DATA / "sandboxes.json").read_text(encoding="utf-8"))
    busy = (
        f"{data['rounds']} rounds on {data['cores']} cores with a load of {data['load']}: the ratios count."
    )
    return MARKED.sub(lambda _: f"{table(data['medians_ms'])}\n\n{caption('sandboxes')} {busy}\n\n", text)


def main() -> int:
    """Print the table; with `--keep`, write the figures and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--languages", nargs="*", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--keep", action="store_true", help="write the figures, and the page with them")
    options = parser.parse_args()
    began = {**stamp(), "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
    medians = measure(options.rounds, options.languages)
    print(table(medians))
    if options.keep:
        kept = {"made_by": "python -m perf.sandboxes", **began, "rounds": options.rounds}
        text = json.dumps({**kept, "medians_ms": medians}, indent=1)
        (DATA / "sandboxes.json").write_text(f"{text}\n", encoding="utf-8")
        PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
