"""Small Python cases, and the findings of their audit."""

from collections.abc import Mapping

from steelyard.auditing.audit import AuditPlan, audit_set
from steelyard.auditing.checks import AnswerChecks
from steelyard.model.audit import Audit
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite

DOUBLE = "def double(n):\n    return n * 2\n"
DOUBLE_TESTS = "def test_double():\n    assert double(3) == 6\n    assert double(-4) == -8\n"


def python_case(  # noqa: PLR0913  # fields of a case
    name: str,
    reference: str | None = DOUBLE,
    tests: str = DOUBLE_TESTS,
    *,
    prompt: str = "",
    wrong: tuple[str, ...] = (),
    timeout_s: float = 20.0,
    settings: Mapping[str, str] | None = None,
) -> Case:
    """Return a case whose prompt mentions the functions of its reference."""
    stated = " ".join(line for line in (reference or "").splitlines() if line.startswith("def "))
    return Case(
        id=name,
        language="python",
        prompt=prompt or f"{name}: write {stated}",
        reference=reference,
        wrong=wrong,
        timeout_s=timeout_s,
        expectations=Expectations(tests=tests, settings=settings or {}),
    )


def audited(checks: AnswerChecks, *cases: Case, runs: int = 1, mutants: int = 0) -> Audit:
    """Audit a set of these cases."""
    eval_set = EvalSet(id="planted", cases=cases, suites=(Suite(id="default"),))
    return audit_set(eval_set, checks, AuditPlan(runs=runs, mutants=mutants), threads=1)


def rules_found(audit: Audit) -> set[tuple[str, str]]:
    """Return the case and rule of each finding, notes aside."""
    return {(finding.case, finding.rule) for finding in audit.findings if finding.severity != "note"}
