"""Soundness: the reference passes every time, whatever its tests must not depend on."""

from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.auditing import rules
from steelyard.auditing.checks import AnswerChecks, Conditions, first_lines, is_infrastructure_error
from steelyard.auditing.reversed_tests import with_reversed_tests
from steelyard.auditing.rules import finding
from steelyard.model.audit import Finding, Rule
from steelyard.model.case import Case
from steelyard.model.outcome import Outcome

ZONES = ("AUDIT-14", "AUDIT+11")  # in POSIX's form, which needs no files: UTC+14 and UTC-11


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRuns:
    """The runs of a case's reference."""

    runs: int
    outcome: Outcome | None = None  # of a passing run
    findings: tuple[Finding, ...] = ()
    is_unchecked: bool = False

    @property
    def seconds(self) -> float | None:
        """The time of the passing run."""
        time_us = self.outcome.check_us if self.outcome else None
        return None if time_us is None else time_us / 1e6


def run_reference(case: Case, checks: AnswerChecks, *, runs: int) -> ReferenceRuns:
    """Run the reference several times, then under other conditions."""
    reference = case.reference or ""
    outcomes = [checks.outcome(case, reference) for _ in range(runs)]
    if any(map(is_infrastructure_error, outcomes)):
        return ReferenceRuns(runs=runs, is_unchecked=True)
    failed = [outcome for outcome in outcomes if not _passes(case, outcome)]
    if failed:
        rule = rules.REFERENCE_FAILS if len(failed) == runs else rules.REFERENCE_FLAKY
        return ReferenceRuns(
            runs=runs, findings=(finding(rule, _describe(failed[0], len(failed), runs), case=case.id),)
        )
    findings = tuple(_dependencies(case, checks, runs)) if case.task is None else ()
    # The first run also starts the interpreter.
    fastest = min(outcomes, key=lambda outcome: outcome.check_us or 0)
    return ReferenceRuns(runs=runs, outcome=fastest, findings=findings)


def wrong_answers(case: Case, checks: AnswerChecks) -> Iterator[Finding]:
    """Find wrong answers of the case that pass."""
    for number, answer in enumerate(case.wrong, start=1):
        if checks.passes(case, answer):
            yield finding(rules.WRONG_PASSES, f"wrong answer {number} passes", case=case.id)


def _dependencies(case: Case, checks: AnswerChecks, runs: int) -> Iterator[Finding]:
    """Find what the verdict on the reference depends on."""
    reference = case.reference or ""
    for number in range(1, runs):
        zone = ZONES[number % len(ZONES)]
        outcome = checks.outcome(case, reference, Conditions(hash_seed=number, time_zone=zone))
        if _is_failure(case, outcome):
            yield _attribute(case, checks, Conditions(hash_seed=number, time_zone=zone), outcome)
            break
    reversed_case = with_reversed_tests(case)
    if reversed_case is not None:
        outcome = checks.outcome(reversed_case, reference)
        if _is_failure(case, outcome):
            yield _failure(rules.TEST_ORDER, case, "in reverse order", outcome)


def _attribute(case: Case, checks: AnswerChecks, both: Conditions, failed: Outcome) -> Finding:
    """Find which of two conditions makes the reference fail; a flaky one fails by neither."""
    reference = case.reference or ""
    by_seed = checks.outcome(case, reference, Conditions(hash_seed=both.hash_seed))
    if _is_failure(case, by_seed):
        return _failure(rules.HASH_SEED, case, f"with hash seed {both.hash_seed}", by_seed)
    # Not with seed 0: the warm interpreter, which has it, keeps its own time zone.
    again = checks.outcome(case, reference, both)
    if _is_failure(case, again):
        return _failure(rules.TIME_ZONE, case, f"in time zone {both.time_zone}", again)
    return _failure(rules.REFERENCE_FLAKY, case, "in one of several runs", failed)


def _failure(rule: Rule, case: Case, when: str, outcome: Outcome) -> Finding:
    detail = first_lines(outcome.detail)
    return finding(rule, f"the reference fails {when}: {detail}", case=case.id)


def _describe(outcome: Outcome, failed: int, runs: int) -> str:
    kind = outcome.facts.classification
    return f"{failed} of {runs} runs are classified {kind}: {first_lines(outcome.detail)}"


def _passes(case: Case, outcome: Outcome) -> bool:
    return outcome.facts.classification is case.expected


def _is_failure(case: Case, outcome: Outcome) -> bool:
    return not is_infrastructure_error(outcome) and not _passes(case, outcome)
