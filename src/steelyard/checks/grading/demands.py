"""Check a case's extra requirements; reject those the checker does not support."""

from dataclasses import replace

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.grading.limits import memory_bytes
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, Command, ExecResult, Limits
from steelyard.model.outcome import Classification, Outcome
from steelyard.ports import Sandbox


def require_no_demands(case: Case, *names: str) -> None:
    """Reject a case with requirements that its checker would ignore."""
    for name in names:
        if getattr(case.expectations, name) not in {None, ()}:
            raise InputError(
                f"case {case.id}: {name} is not supported for the language {case.language!r}; leave it out"
            )


def verdict_of_tests(*, should_pass: bool, passed: int, failed: int) -> Classification:
    """Classify the results of tests; if tests should not pass, a good answer fails at least one."""
    is_good = (passed > 0 and not failed) if should_pass else failed > 0
    return Classification.PASS if is_good else Classification.FAIL


def run_custom_check(check: str, case: Case, code: str, sandbox: Sandbox) -> ExecResult:
    """Run the case's custom check with the answer's code as standard input; exit code 0 accepts it."""
    limits = Limits(wall_s=case.timeout_s, cpu_s=case.timeout_s, memory_bytes=memory_bytes(case, default=GIB))
    return sandbox.run(Command(argv=("/bin/sh", "-c", check), stdin=code.encode(), limits=limits))


def with_custom_check(outcome: Outcome, case: Case, code: str, sandbox: Sandbox) -> Outcome:
    """Apply the case's custom check to a passing outcome."""
    check = case.expectations.custom_check
    if check is None or outcome.facts.classification is not Classification.PASS:
        return outcome
    ended = run_custom_check(check, case, code, sandbox)
    if ended.succeeded:
        return outcome
    text = ended.stderr.decoded() or ended.stdout.decoded() or str(ended.limit or ended.exit_code)
    passed = None if outcome.facts.passed is None else False
    return replace(
        outcome,
        facts=replace(outcome.facts, classification=Classification.FAIL, passed=passed),
        detail=excerpt(f"the custom check of the case rejected the answer: {text}"),
    )
