"""Decide over reports in two stages, or round by round."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.gate_report import DEFAULT_RULE, GatePairs, name_cases, overall, subject_gate
from steelyard.analysis.pairing import PairedCase, Pairing, pair_reports
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
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.confirmation import confirm_decision, confirm_plan, unconfirmed
from steelyard.metrics.sequential_gate import anytime_decision, with_round
from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import GateForm, GateReport, Resample, SubjectGate
from steelyard.model.report import CaseSummary, Report
from steelyard.model.sequence import GateSequence, PairsSeen, SubjectSequence
from steelyard.model.verdict import ConfirmPlan, GateRule, Verdict

REUSED = (
    "the fresh samples are those of the first stage; cases that were picked for looking bad in them "
    "must be generated again"
)
BEGINNING = GateSequence()

Passed = dict[str, tuple[int, int, int]]  # by case: samples, and passes in the baseline and the current run


def plan_confirmation(baseline: Report, current: Report, *, rule: GateRule = DEFAULT_RULE) -> GateReport:
    """Take the first of two stages: fail at once, or say which cases to resample in both runs."""
    return GatePairs.of(baseline, current, rule).decide(_first_stage, form=GateForm.FIRST_STAGE)


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
        decision = confirm_decision(
            kept, *again.counts(), rule=share, error_share=again.error_share, clusters=again.clusters
        )
        # A suspect that was not looked at again has not been cleared.
        is_short = len(kept.cases) < len(plan.cases)
        return subject_gate(pairing, unconfirmed(decision) if is_short else decision)

    return GatePairs.of(baseline, current, rule).decide(second_stage, form=GateForm.SECOND_STAGE)


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
    ended = [subject.ended for subject in sequence.subjects if subject.ended is not None]
    require_open(pairs, ended)
    require_known(sequence, pairs)
    require_same_rule(sequence, rule)
    digests = require_fresh(sequence, baseline, current)
    before, after = open_part(baseline, current, ended)
    joined = {*pairs, *sequence.pairs}
    open_pairs = GatePairs.of(before, after, rule, sharing=len(joined))
    is_whole = not open_pairs.lacking and not open_pairs.is_unfinished
    added: dict[PairedSubject, SubjectSequence] = {}

    def decide(pairing: Pairing, share: GateRule) -> SubjectGate:
        passed = _passed_so_far(pairing, sequence.of(pairing.subject).passed, is_whole=is_whole)
        judged, seen = _decide_round(pairing, sequence, share, passed, is_whole=is_whole)
        if is_whole and judged.decision.evidence.sequence is not None:
            end = None if judged.decision.verdict is Verdict.INCONCLUSIVE else judged
            cases = require_same_cases(pairing, sequence.of(pairing.subject).cases)
            added[pairing.subject] = SubjectSequence(
                pair=pairing.subject, seen=seen, ended=end, cases=cases, passed=passed
            )
        return judged

    result = open_pairs.decide(decide, form=GateForm.ANYTIME)
    others = (*ended, *absent_subjects(sequence, pairs))
    verdict = overall([result.verdict, *(item.decision.verdict for item in others)])
    result = replace(result, subjects=(*result.subjects, *others), verdict=verdict)
    if not added:
        return result, sequence
    # A subject that could not be judged in the first round belongs to the sequence all the same.
    unseen = [pair for pair in pairs if pair not in sequence.pairs]
    added = {pair: SubjectSequence(pair=pair, seen=PairsSeen()) for pair in unseen} | added
    kept = [subject for subject in sequence.subjects if subject.pair not in added]
    return result, GateSequence(
        margin=rule.margin,
        alpha=rule.alpha,
        reports=tuple(dict.fromkeys([*sequence.reports, *digests])),
        subjects=(*kept, *added.values()),
    )


def _passed_so_far(pairing: Pairing, before: Passed, *, is_whole: bool) -> Passed:
    """Add the samples of a whole round to those of each case before it."""
    passed = dict(before)
    for pair in pairing.cases if is_whole else ():
        name = f"{pair.current.suite}/{pair.current.case}"
        samples, old, new = passed.get(name, (0, 0, 0))
        passed[name] = samples + 1, old + pair.baseline.c, new + pair.current.c
    return passed


def _decide_round(
    pairing: Pairing, sequence: GateSequence, rule: GateRule, passed: Passed, *, is_whole: bool
) -> tuple[SubjectGate, PairsSeen]:
    """Judge the rounds of one pair of subjects; only a whole round is added to those before it."""
    if any(case.baseline.n != 1 or case.current.n != 1 for case in pairing.cases):
        raise UserError("`sequence` pairs single samples; both reports need exactly one sample of each case")
    if pairing.clusters is not None:
        raise UserError("rounds take each case as independent; gate cases in clusters as two finished runs")
    seen, runs = sequence.of(pairing.subject).seen, pairing.runs()
    seen = with_round(seen, runs, margin=rule.margin) if is_whole else seen
    n, old, new = (list(column) for column in zip(*passed.values(), strict=True)) if passed else ([], [], [])
    counts = CaseCounts.of(n=n, c=old), CaseCounts.of(n=n, c=new)
    return subject_gate(pairing, anytime_decision(runs, seen, rule=rule, counts=counts)), seen


def _first_stage(pairing: Pairing, rule: GateRule) -> SubjectGate:
    plan = confirm_plan(pairing.runs(), rule=rule)
    if not plan.cases:
        return subject_gate(pairing, plan.unless_confirmed)
    again = Resample(cases=name_cases(pairing, plan.cases), samples=plan.samples)
    return subject_gate(pairing, unconfirmed(plan.unless_confirmed), resample=again)


def _is_reused(first: Sequence[PairedCase], again: Sequence[PairedCase]) -> bool:
    """Whether one run's samples are those of the first stage: they took as long, to the last digit."""
    return _are_same([pair.baseline for pair in first], [pair.baseline for pair in again]) or _are_same(
        [pair.current for pair in first], [pair.current for pair in again]
    )


def _are_same(first: Sequence[CaseSummary], again: Sequence[CaseSummary]) -> bool:
    is_timed = all(case.mean_latency_s is not None for case in again)
    return (
        is_timed
        and bool(again)
        and [case_summary.measured for case_summary in first]
        == [case_summary.measured for case_summary in again]
    )


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
