"""Pair two reports for a gate, and put its decisions together into one report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from steelyard.analysis.carrying import carrying_cases
from steelyard.analysis.comparable import require_comparable
from steelyard.analysis.pairing import Pairing, Pairings, pair_reports, ref
from steelyard.analysis.threshold import shift_of
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import CaseRef, ChangeKind, PairedSubject
from steelyard.model.gate import GateForm, GateReport, Resample, SubjectGate
from steelyard.model.options import Errors
from steelyard.model.report import CaseSummary, Report
from steelyard.model.units import MICRO_POINTS
from steelyard.model.verdict import GateDecision, GateRule, Ground, Verdict
from steelyard.model.version import GENERATOR

DEFAULT_RULE = GateRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePairs:
    """Two reports paired for a gate, and how many tests share alpha."""

    baseline: Report
    current: Report
    rule: GateRule
    pairings: Pairings
    tests: int

    @classmethod
    def of(cls, baseline: Report, current: Report, rule: GateRule, *, sharing: int = 1) -> Self:
        """Pair two reports; alpha is shared by the pairs, or by `sharing` tests if those are more."""
        require_comparable(baseline, current)
        pairings = pair_reports(with_errors_apart(baseline), current)
        # Several subjects are several chances of a false alarm, so that each gets its share of alpha.
        tests = max(sharing, len(pairings.pairs))
        return cls(baseline=baseline, current=current, rule=rule, pairings=pairings, tests=tests)

    @property
    def share(self) -> GateRule:
        """The rule with the share of alpha of one test."""
        return replace(self.rule, alpha=self.rule.alpha / self.tests)

    def decide(self, decide: Callable[[Pairing, GateRule], SubjectGate], *, form: GateForm) -> GateReport:
        """Return the report of a gate that makes one decision on each pair."""
        return self.report([decide(pairing, self.share) for pairing in self.pairings.pairs], form=form)

    def report(self, subjects: Sequence[SubjectGate], *, form: GateForm) -> GateReport:
        """Return the report of these decisions; a pass is taken back where cases or samples are missing."""
        lacking = self.lacking
        subjects = [
            _held_back(subject, Ground.MISSING_CASES) if _lacks(subject, lacking) else subject
            for subject in subjects
        ]
        if self.is_unfinished:
            subjects = [_held_back(subject, Ground.UNFINISHED) for subject in subjects]
        # A subject that is gone has no verdict of its own, but nothing passes without it.
        models = {(case.model, case.tier) for case in lacking}
        gone = models.difference(*(_names(subject.pair) for subject in subjects))
        verdicts = [subject.decision.verdict for subject in subjects]
        missing = _missing(self.pairings)
        return GateReport(
            generator=GENERATOR,
            verdict=overall([*verdicts, Verdict.INCONCLUSIVE] if gone else verdicts),
            form=form,
            rule=self.rule,
            threshold_regressions=_threshold_regressions(self.pairings),
            unpaired_cases=len(missing) + len(self.pairings.new),
            missing_cases=missing,
            fewer_samples=_fewer_samples(self.pairings),
            subjects=tuple(subjects),
            tests=self.tests,
            baseline_integrity=self.baseline.integrity,
            current_integrity=self.current.integrity,
        )

    @property
    def lacking(self) -> tuple[CaseRef, ...]:
        """The cases without which nothing passes; samples that have no score are never excused."""
        return self.pairings.unscored if self.rule.allow_missing else _missing(self.pairings)

    @property
    def is_unfinished(self) -> bool:
        """Whether samples are still to be generated, without which nothing passes."""
        return self.current.planned_samples is not None and not self.rule.allow_missing


def subject_gate(pairing: Pairing, decision: GateDecision, resample: Resample | None = None) -> SubjectGate:
    """Return a decision on a pair, with names in the place of positions."""
    return SubjectGate(
        pair=pairing.subject,
        decision=decision,
        broken_cases=name_cases(pairing, decision.evidence.broken_cases),
        standing_out=name_cases(pairing, decision.evidence.standing_out),
        resample=resample,
        carried_by=carrying_cases(pairing, decision),
    )


def name_cases(pairing: Pairing, rows: Sequence[int]) -> tuple[CaseRef, ...]:
    """Name the cases in these rows."""
    return tuple(ref(pairing.cases[row].current) for row in rows)


def with_errors_apart(report: Report) -> Report:
    """Return a report whose errors are missing samples, not failures: an outage then must hide no drop."""
    if report.settings.errors is not Errors.FAIL:
        return report
    cases = tuple(_without_errors(case) if case.errored else case for case in report.cases)
    return replace(report, cases=cases, settings=replace(report.settings, errors=Errors.EXCLUDE))


def _without_errors(case: CaseSummary) -> CaseSummary:
    score_n = max(0, case.score_n - case.errored)
    mean = case.score_sum_micro / (score_n * MICRO_POINTS) if score_n else None
    return replace(case, n=case.n - case.errored, score_n=score_n, mean_score=mean)


def _lacks(subject: SubjectGate, missing: Sequence[CaseRef]) -> bool:
    """Whether one of the missing cases is among those that are judged here."""
    suites = subject.requirement.suites if subject.requirement else ()
    names = _names(subject.pair)
    return any((case.model, case.tier) in names and (not suites or case.suite in suites) for case in missing)


def _names(pair: PairedSubject) -> set[tuple[str, str]]:
    return {(pair.baseline_model, pair.baseline_tier), (pair.current_model, pair.current_tier)}


def _missing(pairings: Pairings) -> tuple[CaseRef, ...]:
    return (*pairings.removed, *pairings.changed, *pairings.without_evidence)


def _fewer_samples(pairings: Pairings) -> int:
    """Count the cases of which the current run was drawn less often, infrastructure errors included."""
    pairs = [pair for pairing in pairings.pairs for pair in pairing.cases]
    return sum(
        pair.current.n + pair.current.errored < pair.baseline.n + pair.baseline.errored for pair in pairs
    )


def _held_back(subject: SubjectGate, ground: Ground) -> SubjectGate:
    """Take a pass back: a run must not pass by dropping the cases, or the samples, that fail."""
    decision = subject.decision
    if decision.verdict is not Verdict.PASS and decision.grounds != (Ground.TOO_FEW_SAMPLES,):
        return subject
    evidence = replace(decision.evidence, more_samples=None)  # no number of them brings what is missing
    held_back = replace(decision, verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=evidence)
    return replace(subject, decision=held_back)


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of several together: fail if one fails, else inconclusive if one is, else pass."""
    for verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS if verdicts else Verdict.INCONCLUSIVE


def _threshold_regressions(pairings: Pairings) -> int:
    """Count what the plain threshold rule would have flagged."""
    changes = (shift_of(pair, DEFAULT_THRESHOLD) for pairing in pairings.pairs for pair in pairing.cases)
    return sum(change.kind is ChangeKind.REGRESSION for change in changes)
