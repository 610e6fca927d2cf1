"""Strength: tests fail for small changes of the reference."""

import ast
import difflib
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from steelyard.auditing import rules
from steelyard.auditing.checks import AnswerChecks, is_infrastructure_error
from steelyard.auditing.mutations import behaviour_places, mutant
from steelyard.auditing.python_case import prefix_lines, with_raw_answers
from steelyard.auditing.rules import finding
from steelyard.metrics.intervals import wilson
from steelyard.model.audit import Finding
from steelyard.model.case import Case
from steelyard.model.estimate import Target

SHORTEST_S, SLOWER = 2.0, 10.0  # time limit of mutants: at least this, or this many times the reference's
SHOWN = 3  # surviving mutants in a finding
WEAK = 0.5  # tests are weak if the interval of their mutation score lies below


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantChecks:
    """How many mutants of a reference were checked, and which passed all tests, as diffs."""

    checked: int = 0
    survivors: tuple[str, ...] = ()

    @property
    def killed(self) -> int:
        """The mutants that the tests fail."""
        return self.checked - len(self.survivors)


def check_mutants(case: Case, checks: AnswerChecks, *, mutants: int, reference_s: float) -> MutantChecks:
    """Check mutants of a Python reference; those that loop run into a short time limit, and fail."""
    raw = with_raw_answers(case)
    if raw is None or raw.reference is None:
        return MutantChecks()
    limit_s = min(case.timeout_s, max(SHORTEST_S, SLOWER * reference_s))
    limited = replace(raw, timeout_s=limit_s)
    checked, survivors = 0, list[str]()
    for source in _mutants(raw.reference, mutants, first_line=prefix_lines(case) + 1):
        outcome = checks.outcome(limited, source)
        if is_infrastructure_error(outcome):
            continue
        checked += 1
        if outcome.facts.classification is case.expected:
            survivors.append(_diff(raw.reference, source))
    return MutantChecks(checked=checked, survivors=tuple(survivors))


def weak_tests(case: Case, result: MutantChecks) -> Iterator[Finding]:
    """Find tests that miss mutants; an error if they miss more than half beyond chance."""
    if not result.survivors:
        return
    interval = wilson(passed=result.killed, total=result.checked, target=Target.RERUN)
    is_weak = interval.high is not None and interval.high < WEAK
    more = len(result.survivors) - SHOWN
    lines = [
        f"{len(result.survivors)} of {result.checked} mutants pass all tests:",
        *result.survivors[:SHOWN],
        *([f"and {more} more"] if more > 0 else []),
    ]
    yield finding(rules.WEAK_TESTS if is_weak else rules.SURVIVING_MUTANT, "\n".join(lines), case=case.id)


def _mutants(source: str, count: int, *, first_line: int) -> Iterator[str]:
    """Yield up to `count` distinct mutants, the same each time, none compiled to the reference's code."""
    places = behaviour_places(source, first_line=first_line)
    digest = hashlib.blake2b(source.encode("utf-8", "replace")).digest()
    random.Random(digest).shuffle(places)  # noqa: S311  # a reproducible sample
    plain = compile(ast.unparse(ast.parse(source)), "answer", "exec")
    seen = set[str]()
    for place, number in places:
        if len(seen) >= count:
            return
        changed = mutant(source, place, number).source
        if changed not in seen and compile(changed, "answer", "exec") != plain:
            seen.add(changed)
            yield changed


def _diff(source: str, changed: str) -> str:
    before, after = ast.unparse(ast.parse(source)).splitlines(), changed.splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))
