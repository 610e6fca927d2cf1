"""The answers of all checkers whose facts are known, to be checked in gVisor or another sandbox.

Check all, or some languages: python -m tests.sandbox.gvisor.truths [--sandbox oci] [python rust]
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.checkers import Checkers
from steelyard.runner.check.sandboxes import make_sandbox
from tests.checks.checkers import SHIPPED
from tests.checks.forms.calls.answers import RIGHT, fenced, wrong
from tests.checks.forms.calls.tasks import ADD, TASKS
from tests.checks.forms.io.test_checker import PROGRAMS
from tests.checks.forms.io.test_checker import case as io_case
from tests.checks.forms.tests.answers import TRUTHS as COMMAND
from tests.checks.forms.tests.cases import case as command_case
from tests.checks.forms.tests.test_answers import answer_of
from tests.checks.toolchains.python.corpus import TRUTHS as PYTHON
from tests.checks.toolchains.rust.cases import CASES as RUST_CASES
from tests.checks.toolchains.rust.planted import planted
from tests.checks.toolchains.terraform.cases import CASES as TERRAFORM_CASES
from tests.checks.toolchains.terraform.truth import TRUTHS as TERRAFORM

Counts = tuple[int | None, int | None]
PATIENT_S = 300.0  # for a kernel that is a program, on a busy machine
SLOW = {"brackets without end"}  # would end, in more time than they have
LONG_ENOUGH_S = 30.0  # for it to start and to begin with the tests


class Truth(NamedTuple):
    """An answer, and what a check must find: one of some kinds, and how many tests passed and failed."""

    language: str
    name: str
    case: Case
    answer: str
    kinds: frozenset[Classification | None]
    counts: Counts | None

    def holds(self, outcome: Outcome) -> bool:
        """Whether a check has found what it must find."""
        facts = outcome.facts
        counted = self.counts in {None, (facts.tests_passed, facts.tests_failed)}
        return facts.classification in self.kinds and counted


def truths() -> Iterator[Truth]:
    """Give every answer with known facts, of every checker."""
    for rust in planted("truth.toml"):
        counts = (rust.facts.tests_passed, rust.facts.tests_failed)
        kinds = frozenset({rust.facts.classification})
        yield Truth("rust", rust.what, RUST_CASES[rust.case], rust.answer, kinds, counts)
    for python in PYTHON:
        found = None if python.counts is None else (python.counts[0], python.counts[1])
        yield Truth("python", python.name, python.case, python.answer, frozenset({python.ends}), found)
    for hcl in TERRAFORM:
        yield Truth(
            "terraform", hcl.name, TERRAFORM_CASES[hcl.case], hcl.answer, frozenset({hcl.kind}), hcl.tests
        )
    for other in COMMAND:
        yield Truth(
            other.recipe,
            other.name,
            command_case(other.recipe),
            answer_of(other),
            frozenset({other.kind}),
            other.tests,
        )
    for language, code in RIGHT.items():
        for task in TASKS:
            if language != "c" or task.signature:
                counts = (len(task.calls), 0)
                case = task.case(language)
                kinds = frozenset({Classification.PASS})
                yield Truth(f"calls {language}", task.function, case, fenced(language, code), kinds, counts)
        failed = frozenset({Classification.FAIL})
        counts = (0, len(ADD.calls))
        yield Truth(f"calls {language}", "a slip", ADD.case(language), wrong(language), failed, counts)
    for language, code in PROGRAMS.items():
        case, kinds = io_case(language), frozenset({Classification.PASS})
        yield Truth(f"io {language}", "right", case, f"```{language}\n{code}```\n", kinds, (2, 0))
    text = next(shipped for shipped in SHIPPED if shipped.name == "text")
    for answer, kind in ((text.right, Classification.PASS), (text.wrong, Classification.FAIL)):
        yield Truth("text", answer, text.case, answer, frozenset({kind}), None)


def patient(truth: Truth) -> Truth:
    """Give an answer more time; one that must run out of it only if it never ends."""
    if truth.name in SLOW:
        return truth
    enough_s = LONG_ENOUGH_S if Classification.TIMEOUT in truth.kinds else PATIENT_S
    return truth._replace(case=replace(truth.case, timeout_s=max(truth.case.timeout_s, enough_s)))


def main() -> int:
    """Check all of them, or those of a language, and tell which came out otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--sandbox", default="gvisor")
    options = parser.parse_args()
    wanted = options.languages
    chosen = [patient(truth) for truth in truths() if not wanted or truth.language in wanted]
    sandbox = make_sandbox(options.sandbox)
    checkers = Checkers(sandbox)
    with ThreadPoolExecutor(2) as pool:
        right = list(pool.map(lambda truth: told(truth, checkers), chosen))
    sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed
    sys.stdout.write(f"{sum(right)} of {len(right)} as they must be\n")
    return 0 if all(right) else 1


def told(truth: Truth, checkers: Checkers) -> bool:
    """Check an answer, tell how long it took and what is wrong, and return whether all is right."""
    began = time.monotonic()
    outcome = checkers.of(truth.case).check(truth.case, truth.answer)
    holds = truth.holds(outcome)
    took = f"{time.monotonic() - began:.1f} s"
    sys.stdout.write(f"{truth.language}: {truth.name}: {took}{'' if holds else f', WRONG: {outcome}'}\n")
    sys.stdout.flush()
    return holds


if __name__ == "__main__":
    sys.exit(main())
