"""Audit the cases of an eval set, several at a time."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain

from steelyard.auditing import fairness, integrity, rules, soundness, strength, whole_set
from steelyard.auditing.checks import AnswerChecks
from steelyard.auditing.rules import finding
from steelyard.metrics.intervals import mean_interval
from steelyard.model.audit import ALL_CASES, Audit, CaseAudit, Finding, Severity, Waiver
from steelyard.model.case import Case
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.evalset import EvalSet

Progress = Callable[[int, int], None]  # audited cases, all cases


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPlan:
    """How much an audit checks for each case."""

    runs: int = 2
    mutants: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedCase:
    """One case with its findings."""

    measured: CaseAudit
    findings: tuple[Finding, ...] = ()


def audit_set(  # noqa: PLR0913  # the set, how to check it, and callbacks
    eval_set: EvalSet,
    checks: AnswerChecks,
    plan: AuditPlan,
    *,
    threads: int,
    waivers: Sequence[Waiver] = (),
    progress: Progress | None = None,
) -> Audit:
    """Audit all cases of a set, and the set as a whole."""
    audited = list[AuditedCase]()
    with ThreadPoolExecutor(threads) as pool:
        for result in pool.map(lambda case: audit_case(case, eval_set, checks, plan), eval_set.cases):
            audited.append(result)
            if progress is not None:
                progress(len(audited), len(eval_set.cases))
    findings = [
        *chain.from_iterable(result.findings for result in audited),
        *whole_set.gaps(eval_set),
        *whole_set.near_duplicates(eval_set),
    ]
    cases = tuple(result.measured for result in audited)
    return Audit(
        eval_set=eval_set.id,
        digest=eval_set.digest,
        cases=cases,
        findings=tuple(_sorted([*_waived(findings, waivers), *_unused(findings, waivers)])),
        mutation_score=mutation_score(cases),
    )


def audit_case(case: Case, eval_set: EvalSet, checks: AnswerChecks, plan: AuditPlan) -> AuditedCase:
    """Audit one case. A reference that fails ends its audit: nothing else could be trusted."""
    stated = tuple(chain(fairness.unstated_names(case, eval_set), integrity.values_in_prompt(case)))
    if case.reference is None:
        return AuditedCase(measured=CaseAudit(case=case.id), findings=stated)
    runs = soundness.run_reference(case, checks, runs=plan.runs)
    measured = CaseAudit(case=case.id, reference_runs=runs.runs, is_unchecked=runs.is_unchecked)
    if runs.outcome is None:
        return AuditedCase(measured=measured, findings=(*runs.findings, *stated))
    cheats = integrity.check_cheats(case, checks)
    reference_s = runs.seconds or 0.0
    mutants = strength.check_mutants(case, checks, mutants=plan.mutants, reference_s=reference_s)
    return AuditedCase(
        measured=replace(
            measured,
            reference_s=runs.seconds,
            sealed_assertions=runs.outcome.sealed_assertions,
            open_assertions=runs.outcome.open_assertions,
            cheats=cheats.checked,
            mutants=mutants.checked,
            killed=mutants.killed,
        ),
        findings=(
            *runs.findings,
            *soundness.wrong_answers(case, checks),
            *cheats.findings,
            *integrity.sealing(case, runs.outcome),
            *strength.weak_tests(case, mutants),
            *fairness.tight_limit(case, reference_s),
            *stated,
        ),
    )


def mutation_score(cases: Iterable[CaseAudit]) -> Estimate:
    """Return the mean over cases of the share of killed mutants, with its interval for new cases."""
    shares = [case.killed / case.mutants for case in cases if case.mutants]
    if not shares:
        return Estimate(value=None, reason=Reason.NOT_MEASURED, detail="no case has mutants")
    return Estimate.of(sum(shares) / len(shares), mean_interval(shares))


def _waived(findings: Iterable[Finding], waivers: Sequence[Waiver]) -> list[Finding]:
    """Return findings with the reason of the waiver that accepts each."""
    reasons = (
        (item, next((waiver.reason for waiver in waivers if waiver.covers(item)), "")) for item in findings
    )
    return [replace(item, waiver=reason) for item, reason in reasons]


def _unused(findings: Sequence[Finding], waivers: Sequence[Waiver]) -> list[Finding]:
    return [
        finding(rules.UNUSED_WAIVER, f"no finding of {waiver.rule!r} needs it", case=waiver.case)
        for waiver in waivers
        if not any(map(waiver.covers, findings))
    ]


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by severity; keep the order of cases."""
    order = list(Severity)
    return sorted(findings, key=lambda item: (order.index(item.severity), item.case == ALL_CASES))
