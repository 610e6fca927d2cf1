"""Render the audit of an eval set as text and as JSON."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from steelyard.model.audit import ALL_CASES, Audit, Finding
from steelyard.render.names import visible
from steelyard.render.words import counted

AUDIT_SCHEMA = "steelyard.audit/1"


def audit_json(audit: Audit) -> str:
    """Return an audit as JSON."""
    content = {"schema": AUDIT_SCHEMA, **asdict(audit), "has_errors": audit.has_errors}
    return json.dumps(content, indent=2) + "\n"


def audit_text(audit: Audit) -> str:
    """Return the findings of an audit, the worst first, and a summary."""
    lines = [line for finding in audit.open_findings for line in _finding(finding)]
    return "\n".join([*lines, *_summary(audit)]) + "\n"


def _finding(finding: Finding) -> Iterator[str]:
    case = "the set" if finding.case == ALL_CASES else visible(finding.case)
    first, *further = finding.evidence.splitlines() or [""]
    yield f"{finding.severity}: {case}: {finding.rule}: {visible(first)}"
    yield from (f"    {visible(line)}" for line in further)
    yield f"    → {finding.remedy}"


def _summary(audit: Audit) -> Iterator[str]:
    counts = Counter(finding.severity for finding in audit.open_findings)
    found = ", ".join(counted(number, severity) for severity, number in counts.items()) or "no findings"
    waived = len(audit.findings) - len(audit.open_findings)
    yield f"{visible(audit.eval_set)}: {counted(len(audit.cases), 'case')}, {found}" + (
        f", {waived} waived" if waived else ""
    )
    referenced = sum(case.reference_s is not None for case in audit.cases)
    yield f"  references: {referenced} of {len(audit.cases)} cases have one that passes"
    sealed = sum(case.sealed_assertions or 0 for case in audit.cases)
    unsealed = sum(case.open_assertions or 0 for case in audit.cases)
    if sealed + unsealed:
        yield f"  assertions: {sealed:,} of {sealed + unsealed:,} sealed"
    yield f"  answers that solve nothing: {sum(case.cheats for case in audit.cases):,} checked"
    yield f"  mutation score: {_score(audit)}"
    if audit.unchecked:
        names = ", ".join(map(visible, audit.unchecked))
        yield f"  NOT AUDITED (infrastructure errors; run `steelyard doctor`): {names}"


def _score(audit: Audit) -> str:
    score = audit.mutation_score
    if score.value is None:
        return f"not measured ({score.detail})"
    mutants, killed = (sum(getattr(case, name) for case in audit.cases) for name in ("mutants", "killed"))
    interval = next(iter(score.intervals), None)
    bounds = (
        f" (95 % interval for new cases: {interval.low:.1%} to {interval.high:.1%})"
        if interval and interval.low is not None and interval.high is not None
        else ""
    )
    return f"{score.value:.1%}{bounds}; {killed:,} of {mutants:,} mutants killed"
