"""Lay two reports side by side: the threshold rule for every case, and beside it what noise explains.

The threshold rule is kept to the letter; the evidence says which of its alarms to believe.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steelyard.analysis.comparable import require_comparable
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.pairing import PairedCase, Pairing, pair_reports
from steelyard.analysis.threshold import exact_score, shift_of
from steelyard.errors import UserError
from steelyard.metrics.comparison import RunComparison, compare_runs, score_differences
from steelyard.metrics.decisions import score_p
from steelyard.metrics.exact import exact
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import ChangeKind, Comparison, ScoreChange, SubjectComparison, SuiteComparison
from steelyard.model.estimate import Estimate
from steelyard.model.gate import SubjectGate
from steelyard.model.report import Report
from steelyard.model.units import Number
from steelyard.model.version import GENERATOR


def compare_reports(
    baseline: Report, current: Report, *, threshold: Number = DEFAULT_THRESHOLD, level: float = 0.95
) -> Comparison:
    """Return what changed from the baseline to the current report.

    A case regresses when its mean score over attempts falls by strictly more than `threshold` points.
    """
    limit = exact(threshold)
    if not 0 <= limit <= 1:
        raise UserError(f"`threshold` must be from 0 to 1, got {threshold}")
    require_comparable(baseline, current)
    pairings = pair_reports(baseline, current)
    decided = {subject.pair: subject for subject in gate_reports(baseline, current).subjects}
    subjects: list[SubjectComparison] = []
    suites: list[SuiteComparison] = []
    changes: list[ScoreChange] = []
    for pairing in pairings.pairs:
        if pairing.cases:
            subject, cases = _compare(pairing, decided[pairing.subject], limit, level)
            subjects.append(subject)
            suites += _suites(pairing, level)
            changes += cases
    by_kind = {kind: [change for change in changes if change.kind is kind] for kind in ChangeKind}
    return Comparison(
        generator=GENERATOR,
        threshold=float(limit),
        subjects=tuple(subjects),
        suites=tuple(suites),
        regressions=tuple(sorted(by_kind[ChangeKind.REGRESSION], key=lambda change: change.delta)),
        improvements=tuple(sorted(by_kind[ChangeKind.IMPROVEMENT], key=lambda change: -change.delta)),
        unchanged=len(by_kind[ChangeKind.UNCHANGED]),
        new_cases=pairings.new,
        removed_cases=pairings.removed,
        changed_cases=pairings.changed,
        without_evidence=pairings.without_evidence,
        baseline_integrity=baseline.integrity,
        current_integrity=current.integrity,
    )


def _compare(
    pairing: Pairing, decided: SubjectGate, limit: Fraction, level: float
) -> tuple[SubjectComparison, Sequence[ScoreChange]]:
    runs, (before, after) = pairing.runs(), pairing.passes()
    run_comparison = compare_runs(runs, level=level)
    p_score, motions = score_p(runs), [_score_motion(pair) for pair in pairing.cases]
    new_cases, rerun = score_differences(*pairing.scores(), level=level, clusters=runs.clusters)
    subject = SubjectComparison(
        pair=pairing.subject,
        cases=len(pairing.cases),
        baseline_pass_rate=float(before.means.mean()),
        current_pass_rate=float(after.means.mean()),
        pass_rate_change=Estimate.of(
            run_comparison.rerun.value, run_comparison.new_cases.interval, run_comparison.rerun.interval
        ),
        score_change=Estimate.of(rerun.value, new_cases.interval, rerun.interval),
        p_drop=run_comparison.drop.p,
        p_method=str(run_comparison.drop.method),
        odds_ratio=run_comparison.odds_ratio,
        decision=decided.decision,
        named_cases=decided.broken_cases or decided.standing_out,
        worse=run_comparison.worse,
        better=run_comparison.better,
        p_score=p_score,
        score_worse=sum(motion < 0 for motion in motions),
        score_better=sum(motion > 0 for motion in motions),
        p_rise=run_comparison.rise.p,
        p_score_rise=score_p(runs.exchanged),
    )
    changes = [_change(pair, limit, row, run_comparison) for row, pair in enumerate(pairing.cases)]
    return subject, changes


def _suites(pairing: Pairing, level: float) -> list[SuiteComparison]:
    by_suite: defaultdict[str, list[PairedCase]] = defaultdict(list)
    for pair in pairing.cases:
        by_suite[pair.current.suite].append(pair)
    return [_suite(suite, replace(pairing, cases=tuple(cases)), level) for suite, cases in by_suite.items()]


def _suite(suite: str, pairing: Pairing, level: float) -> SuiteComparison:
    before, after = pairing.passes()
    new_cases, rerun = score_differences(before, after, level=level, clusters=pairing.clusters)
    changes = [pair.current.c * pair.baseline.n - pair.baseline.c * pair.current.n for pair in pairing.cases]
    return SuiteComparison(
        pair=pairing.subject,
        suite=suite,
        cases=len(pairing.cases),
        baseline_pass_rate=float(before.means.mean()),
        current_pass_rate=float(after.means.mean()),
        pass_rate_change=Estimate.of(rerun.value, new_cases.interval, rerun.interval),
        worse=sum(change < 0 for change in changes),
        better=sum(change > 0 for change in changes),
    )


def _change(pair: PairedCase, limit: Fraction, row: int, run_comparison: RunComparison) -> ScoreChange:
    shift = shift_of(pair, limit)
    is_improved = shift.kind is ChangeKind.IMPROVEMENT
    return ScoreChange(
        model=pair.current.model,
        tier=pair.current.tier,
        suite=pair.current.suite,
        case=pair.current.case,
        kind=shift.kind,
        baseline_score=shift.baseline,
        current_score=shift.current,
        delta=shift.delta,
        p_drop=run_comparison.case_p[row],
        stands_out=row in run_comparison.standing_out or (is_improved and row in run_comparison.rising_out),
        p_rise=run_comparison.case_rise_p[row],
    )


def _score_motion(pair: PairedCase) -> int:
    """Return whether the mean score of a case rose (above 0) or fell, exactly."""
    (old, of_old), (new, of_new) = exact_score(pair.baseline), exact_score(pair.current)
    return new * of_old - old * of_new
