"""Hold the result of auditing an eval set: findings about its cases, and what was measured."""

from dataclasses import dataclass
from enum import StrEnum

from steelyard.model.estimate import Estimate

ALL_CASES = "*"  # the case of findings about the whole set, and of waivers for every case


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # verdicts of the case cannot be trusted
    WARNING = "warning"  # verdicts may be wrong
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of finding."""

    name: str
    severity: Severity
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault of a case, or of the whole set. `waiver` is the reason why it was accepted."""

    rule: str
    severity: Severity
    case: str
    evidence: str
    remedy: str
    waiver: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Accepts the findings of one rule about one case, or about all."""

    rule: str
    case: str
    reason: str

    def covers(self, finding: Finding) -> bool:
        """Whether this waiver accepts a finding."""
        return self.rule == finding.rule and self.case in {ALL_CASES, finding.case}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAudit:
    """What was measured about one case."""

    case: str
    reference_runs: int = 0
    reference_s: float | None = None  # None: no passing reference
    sealed_assertions: int | None = None
    open_assertions: int | None = None
    cheats: int = 0  # answers checked that solve nothing
    mutants: int = 0
    killed: int = 0  # mutants that the tests fail
    is_unchecked: bool = False  # an infrastructure error prevented the audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The audit of an eval set."""

    eval_set: str
    digest: str
    cases: tuple[CaseAudit, ...]
    findings: tuple[Finding, ...]
    mutation_score: Estimate  # mean over cases of the share of killed mutants

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """The findings that no waiver accepts."""
        return tuple(finding for finding in self.findings if not finding.waiver)

    @property
    def has_errors(self) -> bool:
        """Whether a finding of severity error is not waived."""
        return any(finding.severity is Severity.ERROR for finding in self.open_findings)

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The cases that an infrastructure error kept from being audited."""
        return tuple(case.case for case in self.cases if case.is_unchecked)
