"""Decide over two reports whether the current one has become worse, subject by subject.

The decisions are made in `metrics/gates.py` and `metrics/sequential.py`; here names take the place of rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from warnings import warn

from steelyard.analysis.carrying import carrying_cases
from steelyard.analysis.compare import require_comparable, shift_of
from steelyard.analysis.detection import detection
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.pairing import PairedCase, Pairing, Pairings, pair_reports, ref
from steelyard.analysis.rounds import (
    absent_subjects,
    open_part,
    require_fresh,
    require_known,
    require_open,
    require_same_cases,
    require_same_rule,
)
from steelyard.errors import InputError, UserError
from steelyard.metrics.confirming import confirm_decision, confirm_plan, unconfirmed
from steelyard.metrics.gates import judge_once
from steelyard.metrics.looking import anytime_decision, judge_look, with_round
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import CaseRef, ChangeKind, PairedSubject
from steelyard.model.gate import GateForm, GateReport, Redraw, SubjectGate
from steelyard.model.options import Errors
from steelyard.model.report import CaseSummary, Report
from steelyard.model.sequence import GateSequence, PairsSeen, SubjectSequence
from steelyard.model.units import MICRO_POINTS
from steelyard.model.verdict import ConfirmPlan, GateDecision, GateRule, Ground, Verdict
from steelyard.model.version import GENERATOR

DEFAULT_RULE = GateRule()
REUSED = (
    "the fresh samples are those of the first stage; cases that were picked for looking bad in them "
    "must be drawn again"
)
BEGINNING = GateSequence()

Judge = Callable[[Pairing, GateRule], Sequence[SubjectGate]]


def gate_reports(baseline: Report, current: Report, *, rule: GateRule = DEFAULT_RULE) -> GateReport:
    """Judge two finished reports once."""
    return gate_by(baseline, current, rule, _alone(one_shot), form=GateForm.ONE_SHOT)


def plan_confirmation(baseline: Report, current: Report, *, rule: GateRule = DEFAULT_RULE) -> GateReport:
    """Take the first of two stages: fail at once, or say which cases to draw again in both runs."""
    return gate_by(baseline, current, rule, _alone(_first_stage), form=GateForm.FIRST_STAGE)


def confirm_reports(
    baseline: Report,
    current: Report,
    *,
    fresh_baseline: Report,
    fresh_current: Report,
    rule: GateRule = DEFAULT_RULE,
) -> GateReport:
    """Take the second stage: judge the fresh samples of the planned cases, and only those."""
    if fresh_baseline == baseline or fresh_current == current:
        raise UserError(REUSED)
    require_fixed_samples(fresh_baseline, where="the fresh baseline")
    require_fixed_samples(fresh_current, where="the fresh report")
    fresh = {pairing.subject: pairing for pairing in pair_reports(fresh_baseline, fresh_current).pairs}

    def second_stage(pairing: Pairing, share: GateRule) -> SubjectGate:
        plan = confirm_plan(pairing.runs(), rule=share)
        if not plan.cases:
            return subject_gate(pairing, plan.unless_confirmed)
        if pairing.subject not in fresh:
            raise InputError(f"the fresh reports lack the subject {pairing.subject.current_model}")
        again, kept = _fresh_rows(pairing, plan, fresh[pairing.subject])
        if _is_reused([pairing.cases[row] for row in kept.cases], again.cases):
            raise UserError(REUSED)
        decision = confirm_decision(kept, *again.counts(), rule=share, error_share=again.error_share)
        # A suspect that was not looked at again has not been cleared.
        is_short = len(kept.cases) < len(plan.cases)
        return subject_gate(pairing, unconfirmed(decision) if is_short else decision)

    return gate_by(baseline, current, rule, _alone(second_stage), form=GateForm.SECOND_STAGE)


def look_at_reports(
    baseline: Report, current: Report, *, number: int, looks: int, rule: GateRule = DEFAULT_RULE
) -> GateReport:
    """Take one of several looks that were planned beforehand, by O'Brien and Fleming's bounds."""
    if not 1 <= number <= looks:
        raise UserError(f"`look` must be from 1 to {looks}, got {number}")

    def judge(pairing: Pairing, share: GateRule) -> SubjectGate:
        return subject_gate(pairing, judge_look(pairing.runs(), number=number, looks=looks, rule=share))

    return gate_by(baseline, current, rule, _alone(judge), form=GateForm.planned_look(number, looks))


def add_round(
    baseline: Report,
    current: Report,
    *,
    sequence: GateSequence = BEGINNING,
    rule: GateRule = DEFAULT_RULE,
) -> tuple[GateReport, GateSequence]:
    """Judge one sample of each case in both runs, added to the rounds of a sequence; return that as well.

    Valid at any stopping time, so that it may be asked as often as one likes. A round that lacks cases or
    is not finished is not added, nor one with too many errors to be judged. Other cases than those of the
    first round are refused, and so are subjects that join later, samples that were counted before, and
    another margin or alpha. A subject that has ended keeps its verdict while others go on; nothing passes
    while one that stays away is open.
    """
    pairs = [pairing.subject for pairing in pair_reports(baseline, current).pairs]
    ended = [one.ended for one in sequence.subjects if one.ended is not None]
    require_open(pairs, ended)
    require_known(sequence, pairs)
    require_same_rule(sequence, rule)
    digests = require_fresh(sequence, baseline, current)
    before, after = open_part(baseline, current, ended)
    is_whole = not _lacking(pair_reports(before, after), rule) and not _is_unfinished(current, rule)
    added: dict[PairedSubject, SubjectSequence] = {}

    def judge(pairing: Pairing, share: GateRule) -> SubjectGate:
        judged, seen = _judge_round(pairing, sequence, share, is_whole=is_whole)
        if is_whole and judged.decision.evidence.sequence is not None:
            end = None if judged.decision.verdict is Verdict.INCONCLUSIVE else judged
            cases = require_same_cases(pairing, sequence.of(pairing.subject).cases)
            added[pairing.subject] = SubjectSequence(pair=pairing.subject, seen=seen, ended=end, cases=cases)
        return judged

    known = {*pairs, *sequence.pairs}
    found = gate_by(before, after, rule, _alone(judge), form=GateForm.ANYTIME, sharing=len(known))
    others = (*ended, *absent_subjects(sequence, pairs))
    verdict = overall([found.verdict, *(one.decision.verdict for one in others)])
    found = replace(found, subjects=(*found.subjects, *others), verdict=verdict)
    if not added:
        return found, sequence
    # A subject that could not be judged in the first round belongs to the sequence all the same.
    unseen = [pair for pair in pairs if pair not in sequence.pairs]
    added = {pair: SubjectSequence(pair=pair, seen=PairsSeen()) for pair in unseen} | added
    kept = [one for one in sequence.subjects if one.pair not in added]
    return found, GateSequence(
        margin=rule.margin,
        alpha=rule.alpha,
        reports=tuple(dict.fromkeys([*sequence.reports, *digests])),
        subjects=(*kept, *added.values()),
    )


def _judge_round(
    pairing: Pairing, sequence: GateSequence, rule: GateRule, *, is_whole: bool
) -> tuple[SubjectGate, PairsSeen]:
    """Judge the rounds of one pair of subjects; only a whole round is added to those before it."""
    if any(case.baseline.n != 1 or case.current.n != 1 for case in pairing.cases):
        raise UserError("`anytime` pairs single samples; both reports need exactly one sample of each case")
    seen, runs = sequence.of(pairing.subject).seen, pairing.runs()
    seen = with_round(seen, runs, margin=rule.margin) if is_whole else seen
    return subject_gate(pairing, anytime_decision(runs, seen, rule=rule)), seen


def gate_anytime(
    baseline: Report, current: Report, *, earlier: tuple[int, int] = (0, 0), rule: GateRule = DEFAULT_RULE
) -> GateReport:
    """Judge a round with the losses and wins of earlier ones: the old way, for a single subject."""
    pairs = [pairing.subject for pairing in pair_reports(baseline, current).pairs]
    if any(earlier):
        warn("`earlier` goes away; give `sequence` a file instead", DeprecationWarning, stacklevel=2)
        if len(pairs) > 1:
            raise UserError("`earlier` is the history of one subject, not of several; use `sequence`")
    seen = PairsSeen(losses=earlier[0], wins=earlier[1])
    sequence = GateSequence(subjects=tuple(SubjectSequence(pair=pair, seen=seen) for pair in pairs))
    return add_round(baseline, current, sequence=sequence, rule=rule)[0]


def _alone(judge: Callable[[Pairing, GateRule], SubjectGate]) -> Judge:
    """Return a judge that says one thing about each pair."""
    return lambda pairing, share: [judge(pairing, share)]


def gate_by(  # noqa: PLR0913  # two reports, the rule, and how to judge by it
    baseline: Report, current: Report, rule: GateRule, judge: Judge, *, form: str, sharing: int = 1
) -> GateReport:
    """Judge every pair of subjects; alpha is shared by the pairs, or by `sharing` tests if those are more."""
    require_comparable(baseline, current)
    found = pair_reports(with_errors_apart(baseline), current)
    # Several subjects are several chances of a false alarm, so that each gets its share of alpha.
    tests = max(sharing, len(found.pairs))
    share = replace(rule, alpha=rule.alpha / tests)
    missing = _missing(found)
    judged = [subject for pairing in found.pairs for subject in judge(pairing, share)]
    lacking = _lacking(found, rule)
    judged = [
        _held_back(subject, Ground.MISSING_CASES) if _lacks(subject, lacking) else subject
        for subject in judged
    ]
    if _is_unfinished(current, rule):
        judged = [_held_back(subject, Ground.UNFINISHED) for subject in judged]
    # A subject that is gone has no verdict of its own, but nothing passes without it.
    models = {(case.model, case.tier) for case in lacking}
    gone = models.difference(*(_names(subject.pair) for subject in judged))
    verdicts = [subject.decision.verdict for subject in judged]
    return GateReport(
        generator=GENERATOR,
        verdict=overall([*verdicts, Verdict.INCONCLUSIVE] if gone else verdicts),
        form=str(form),  # a plain text, as a reader of its JSON gets it
        rule=rule,
        threshold_regressions=_threshold_regressions(found),
        unpaired_cases=len(missing) + len(found.new),
        missing_cases=missing,
        fewer_samples=_fewer_samples(found),
        subjects=tuple(judged),
        tests=tests,
        baseline_integrity=baseline.integrity,
        current_integrity=current.integrity,
    )


def _is_unfinished(current: Report, rule: GateRule) -> bool:
    """Whether samples are still to be drawn, without which nothing passes."""
    return current.planned_samples is not None and not rule.allow_missing


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


def _lacking(found: Pairings, rule: GateRule) -> tuple[CaseRef, ...]:
    """Return the cases without which nothing passes; samples that have no score are never excused."""
    return found.unscored if rule.allow_missing else _missing(found)


def _missing(found: Pairings) -> tuple[CaseRef, ...]:
    return (*found.removed, *found.changed, *found.without_evidence)


def _fewer_samples(found: Pairings) -> int:
    """Count the cases of which the current run was drawn less often, our own errors included."""
    pairs = [pair for pairing in found.pairs for pair in pairing.cases]
    return sum(
        pair.current.n + pair.current.errored < pair.baseline.n + pair.baseline.errored for pair in pairs
    )


def _held_back(subject: SubjectGate, ground: Ground) -> SubjectGate:
    """Take a pass back: a run must not pass by dropping the cases, or the samples, that fail."""
    if subject.decision.verdict is not Verdict.PASS:
        return subject
    grounds = (ground,)
    return replace(subject, decision=replace(subject.decision, verdict=Verdict.INCONCLUSIVE, grounds=grounds))


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of several together: fail if one fails, else inconclusive if one is, else pass."""
    for verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return Verdict.PASS if verdicts else Verdict.INCONCLUSIVE


def _threshold_regressions(found: Pairings) -> int:
    """Count what the plain threshold rule would have flagged."""
    changes = (shift_of(pair, DEFAULT_THRESHOLD) for pairing in found.pairs for pair in pairing.cases)
    return sum(change.kind is ChangeKind.REGRESSION for change in changes)


def one_shot(pairing: Pairing, rule: GateRule) -> SubjectGate:
    """Judge the passes and scores of a pair once."""
    return subject_gate(pairing, _with_detection(judge_once(pairing.runs(), rule=rule), pairing, rule))


def _with_detection(decision: GateDecision, pairing: Pairing, rule: GateRule) -> GateDecision:
    """Add what the gate would have seen, where it compared two runs and saw nothing."""
    evidence = decision.evidence
    if decision.verdict is Verdict.FAIL or evidence.p_joint is None:
        return decision
    chances = detection(pairing, p_score=evidence.p_score, drop=rule.margin, alpha=rule.alpha)
    return replace(decision, evidence=replace(evidence, detection=chances))


def _first_stage(pairing: Pairing, rule: GateRule) -> SubjectGate:
    plan = confirm_plan(pairing.runs(), rule=rule)
    if not plan.cases:
        return subject_gate(pairing, plan.unless_confirmed)
    again = Redraw(cases=_named(pairing, plan.cases), samples=plan.samples)
    return subject_gate(pairing, unconfirmed(plan.unless_confirmed), redraw=again)


def _is_reused(first: Sequence[PairedCase], again: Sequence[PairedCase]) -> bool:
    """Whether one run's samples are those of the first stage: they took as long, to the last digit."""
    return _are_same([pair.baseline for pair in first], [pair.baseline for pair in again]) or _are_same(
        [pair.current for pair in first], [pair.current for pair in again]
    )


def _are_same(first: Sequence[CaseSummary], again: Sequence[CaseSummary]) -> bool:
    is_timed = all(case.mean_latency_s is not None for case in again)
    return is_timed and bool(again) and [one.measured for one in first] == [one.measured for one in again]


def _fresh_rows(pairing: Pairing, plan: ConfirmPlan, fresh: Pairing) -> tuple[Pairing, ConfirmPlan]:
    """Line the fresh samples up with the plan; a planned case without any drops out of both.

    Samples of another form of the case are samples of another case.
    """
    by_form = {_form(pair): pair for pair in fresh.cases}
    forms = [_form(pairing.cases[row]) for row in plan.cases]
    kept = [(row, by_form[form]) for row, form in zip(plan.cases, forms, strict=True) if form in by_form]
    rows = tuple(pair for _, pair in kept)
    return replace(fresh, cases=rows), replace(plan, cases=tuple(row for row, _ in kept))


def _form(pair: PairedCase) -> tuple[str, str, str | None]:
    return pair.current.suite, pair.current.case, pair.current.digest


def subject_gate(pairing: Pairing, decision: GateDecision, redraw: Redraw | None = None) -> SubjectGate:
    """Return a decision on a pair, with names in the place of positions."""
    return SubjectGate(
        pair=pairing.subject,
        decision=decision,
        broken_cases=_named(pairing, decision.evidence.broken_cases),
        standing_out=_named(pairing, decision.evidence.standing_out),
        redraw=redraw,
        carried_by=carrying_cases(pairing, decision),
    )


def _named(pairing: Pairing, rows: Sequence[int]) -> tuple[CaseRef, ...]:
    return tuple(ref(pairing.cases[row].current) for row in rows)
