"""Decide over two reports whether the current one has become worse, subject by subject.

The decisions are made in `metrics/gates.py` and `metrics/sequential.py`; here names take the place of rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from steelyard.analysis.compare import exact_score, require_same_rules
from steelyard.analysis.pairing import Pairing, Pairings, pair_reports, ref
from steelyard.errors import InputError, UserError
from steelyard.metrics.gates import confirm_decision, confirm_plan, one_shot_gate
from steelyard.metrics.judging import PairedRuns
from steelyard.metrics.looking import Pairs, anytime_decision, exact_z, look_decision
from steelyard.metrics.regression import DEFAULT_THRESHOLD, change_of_shares
from steelyard.metrics.sequential import look, obrien_fleming
from steelyard.model.comparison import CaseRef, ChangeKind
from steelyard.model.gate import GateForm, GateReport, Redraw, SubjectGate
from steelyard.model.report import Report
from steelyard.model.verdict import ConfirmPlan, GateDecision, GateRule, Ground, Verdict
from steelyard.model.version import GENERATOR

DEFAULT_RULE = GateRule()

Judge = Callable[[Pairing, GateRule], SubjectGate]


def gate_reports(baseline: Report, current: Report, *, rule: GateRule = DEFAULT_RULE) -> GateReport:
    """Judge two finished reports once."""
    return _gate(baseline, current, rule, _one_shot, form=GateForm.ONE_SHOT)


def plan_confirmation(baseline: Report, current: Report, *, rule: GateRule = DEFAULT_RULE) -> GateReport:
    """Take the first of two stages: fail at once, or say which cases to draw again in both runs."""
    return _gate(baseline, current, rule, _first_stage, form=GateForm.FIRST_STAGE)


def confirm_reports(
    baseline: Report,
    current: Report,
    *,
    fresh_baseline: Report,
    fresh_current: Report,
    rule: GateRule = DEFAULT_RULE,
) -> GateReport:
    """Take the second stage: judge the fresh samples of the planned cases, and only those."""
    fresh = {pairing.subject: pairing for pairing in pair_reports(fresh_baseline, fresh_current).pairs}

    def second_stage(pairing: Pairing, share: GateRule) -> SubjectGate:
        plan = _plan(pairing, share)
        if not plan.cases:
            return _subject_gate(pairing, plan.unless_confirmed)
        if pairing.subject not in fresh:
            raise InputError(f"the fresh reports lack the subject {pairing.subject.current_model}")
        again, kept = _fresh_rows(pairing, plan, fresh[pairing.subject])
        if len(kept.cases) < len(plan.cases):
            # A suspect that was not looked at again has not been cleared.
            return _subject_gate(pairing, _unconfirmed(plan.unless_confirmed))
        decision = confirm_decision(kept, *again.counts(), rule=share, error_share=again.error_share)
        return _subject_gate(pairing, decision)

    return _gate(baseline, current, rule, second_stage, form=GateForm.SECOND_STAGE)


def look_at_reports(
    baseline: Report, current: Report, *, number: int, looks: int, rule: GateRule = DEFAULT_RULE
) -> GateReport:
    """Take one of several looks that were planned beforehand, by O'Brien and Fleming's bounds."""
    if not 1 <= number <= looks:
        raise UserError(f"`look` must be from 1 to {looks}, got {number}")

    def judge(pairing: Pairing, share: GateRule) -> SubjectGate:
        bounds = obrien_fleming(looks=looks, alpha=share.alpha)
        runs = _paired_runs(pairing)
        step = look(bounds, number=number, z=exact_z(runs.baseline, runs.current))
        return _subject_gate(pairing, look_decision(runs, step, looks=looks, rule=share))

    return _gate(baseline, current, rule, judge, form=GateForm.planned_look(number, looks))


def gate_anytime(
    baseline: Report,
    current: Report,
    *,
    earlier: tuple[int, int] = (0, 0),
    rule: GateRule = DEFAULT_RULE,
) -> GateReport:
    """Judge one sample of each case in both runs, added to the losses and wins of earlier rounds.

    Valid at any stopping time, so that it may be asked as often as one likes.
    """

    def judge(pairing: Pairing, share: GateRule) -> SubjectGate:
        before, after = pairing.counts()
        if any(case.baseline.n != 1 or case.current.n != 1 for case in pairing.cases):
            raise UserError(
                "`anytime` pairs single samples; both reports need exactly one sample of each case"
            )
        lost = sum(old > new for old, new in zip(before.c.tolist(), after.c.tolist(), strict=True))
        won = sum(old < new for old, new in zip(before.c.tolist(), after.c.tolist(), strict=True))
        pairs = Pairs(losses=earlier[0] + lost, wins=earlier[1] + won, same=len(pairing.cases) - lost - won)
        return _subject_gate(pairing, anytime_decision(_paired_runs(pairing), pairs, rule=share))

    return _gate(baseline, current, rule, judge, form=GateForm.ANYTIME)


def _gate(baseline: Report, current: Report, rule: GateRule, judge: Judge, *, form: str) -> GateReport:
    require_same_rules(baseline, current)
    found = pair_reports(baseline, current)
    # Several subjects are several chances of a false alarm, so that each gets its share of alpha.
    share = replace(rule, alpha=rule.alpha / max(1, len(found.pairs)))
    missing = (*found.removed, *found.changed, *found.without_evidence)
    judged = [judge(pairing, share) for pairing in found.pairs]
    if missing and not rule.allow_missing:
        judged = [_held_back(subject) for subject in judged]
    return GateReport(
        generator=GENERATOR,
        verdict=_overall([subject.decision.verdict for subject in judged]),
        form=str(form),  # a plain text, as a reader of its JSON gets it
        rule=rule,
        threshold_regressions=_threshold_regressions(found),
        unpaired_cases=len(missing) + len(found.new),
        missing_cases=missing,
        fewer_samples=_fewer_samples(found),
        subjects=tuple(judged),
        baseline_isolation=baseline.isolation,
        current_isolation=current.isolation,
    )


def _fewer_samples(found: Pairings) -> int:
    """Count the cases of which the current run was drawn less often, our own errors included."""
    pairs = [pair for pairing in found.pairs for pair in pairing.cases]
    return sum(
        pair.current.n + pair.current.errored < pair.baseline.n + pair.baseline.errored for pair in pairs
    )


def _held_back(subject: SubjectGate) -> SubjectGate:
    """Take a pass back: a run must not pass by dropping the cases that fail."""
    if subject.decision.verdict is not Verdict.PASS:
        return subject
    grounds = (Ground.MISSING_CASES,)
    return replace(subject, decision=replace(subject.decision, verdict=Verdict.INCONCLUSIVE, grounds=grounds))


def _overall(verdicts: Sequence[Verdict]) -> Verdict:
    for verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS if verdicts else Verdict.INCONCLUSIVE


def _threshold_regressions(found: Pairings) -> int:
    """Count what the plain threshold rule would have flagged."""
    changes = (
        change_of_shares(exact_score(pair.baseline), exact_score(pair.current), threshold=DEFAULT_THRESHOLD)
        for pairing in found.pairs
        for pair in pairing.cases
    )
    return sum(change.kind is ChangeKind.REGRESSION for change in changes)


def _one_shot(pairing: Pairing, rule: GateRule) -> SubjectGate:
    decision = one_shot_gate(*pairing.counts(), rule=rule, error_share=pairing.error_share)
    return _subject_gate(pairing, decision)


def _paired_runs(pairing: Pairing) -> PairedRuns:
    before, after = pairing.counts()
    return PairedRuns(baseline=before, current=after, error_share=pairing.error_share)


def _plan(pairing: Pairing, rule: GateRule) -> ConfirmPlan:
    return confirm_plan(*pairing.counts(), rule=rule, error_share=pairing.error_share)


def _first_stage(pairing: Pairing, rule: GateRule) -> SubjectGate:
    plan = _plan(pairing, rule)
    decision = plan.unless_confirmed
    if not plan.cases:
        return _subject_gate(pairing, decision)
    decision = _unconfirmed(decision)
    again = Redraw(cases=_named(pairing, plan.cases), samples=plan.samples)
    return _subject_gate(pairing, decision, redraw=again)


def _unconfirmed(decision: GateDecision) -> GateDecision:
    """Take a pass back while cases are still to be confirmed."""
    if decision.verdict is not Verdict.PASS:
        return decision
    return replace(decision, verdict=Verdict.INCONCLUSIVE, grounds=(Ground.TO_BE_CONFIRMED,))


def _fresh_rows(pairing: Pairing, plan: ConfirmPlan, fresh: Pairing) -> tuple[Pairing, ConfirmPlan]:
    """Line the fresh samples up with the plan; a planned case without any drops out of both."""
    by_name = {(pair.current.suite, pair.current.case): pair for pair in fresh.cases}
    names = [(pairing.cases[row].current.suite, pairing.cases[row].current.case) for row in plan.cases]
    kept = [(row, by_name[name]) for row, name in zip(plan.cases, names, strict=True) if name in by_name]
    rows = tuple(pair for _, pair in kept)
    return replace(fresh, cases=rows), replace(plan, cases=tuple(row for row, _ in kept))


def _subject_gate(pairing: Pairing, decision: GateDecision, redraw: Redraw | None = None) -> SubjectGate:
    return SubjectGate(
        pair=pairing.subject,
        decision=decision,
        broken_cases=_named(pairing, decision.evidence.broken_cases),
        standing_out=_named(pairing, decision.evidence.standing_out),
        redraw=redraw,
    )


def _named(pairing: Pairing, rows: Sequence[int]) -> tuple[CaseRef, ...]:
    return tuple(ref(pairing.cases[row].current) for row in rows)
