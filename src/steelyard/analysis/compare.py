"""Lay two reports side by side: the threshold rule for every case, and beside it what noise explains.

The threshold rule is kept to the letter; the evidence says which of its alarms to believe.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steelyard.analysis.detection import detection
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.pairing import PairedCase, Pairing, pair_reports
from steelyard.errors import UserError
from steelyard.metrics.comparison import RunComparison, compare_runs, score_differences
from steelyard.metrics.exact import exact
from steelyard.metrics.judging import score_p
from steelyard.metrics.regression import DEFAULT_THRESHOLD, ScoreShift, change_of_shares
from steelyard.metrics.ties import are_whole, rounding_of_change
from steelyard.model.comparison import ChangeKind, Comparison, ScoreChange, SubjectComparison, SuiteComparison
from steelyard.model.estimate import Estimate
from steelyard.model.report import CaseSummary, Report
from steelyard.model.units import MICRO_POINTS, Number
from steelyard.model.verdict import GateRule
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
    found = pair_reports(baseline, current)
    subjects: list[SubjectComparison] = []
    suites: list[SuiteComparison] = []
    changes: list[ScoreChange] = []
    for pairing in found.pairs:
        if pairing.cases:
            subject, cases = _compare(pairing, limit, level, alpha=(1 - level) / len(found.pairs))
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
        new_cases=found.new,
        removed_cases=found.removed,
        changed_cases=found.changed,
        without_evidence=found.without_evidence,
        baseline_integrity=baseline.integrity,
        current_integrity=current.integrity,
    )


def require_comparable(baseline: Report, current: Report) -> None:
    """Refuse scores that were given by different rules, and samples that a stop rule ended."""
    before, after = baseline.settings.scoring, current.settings.scoring
    if before != after:
        raise UserError(
            f"the reports were scored by different rules ({before.name} version {before.version} with "
            f"{before.parameters or 'no parameters'}; {after.name} version {after.version} with "
            f"{after.parameters or 'no parameters'}); score both the same way first"
        )
    if baseline.settings.errors is not current.settings.errors:
        raise UserError(
            "one report counts our own errors as failures (`errors=fail`) and the other leaves them out; "
            "score both the same way first"
        )
    require_fixed_samples(baseline, where="the baseline")
    require_fixed_samples(current, where="the current report")


def _compare(
    pairing: Pairing, limit: Fraction, level: float, *, alpha: float
) -> tuple[SubjectComparison, Sequence[ScoreChange]]:
    before, after = pairing.counts()
    found = compare_runs(before, after, level=level)
    runs = pairing.runs()
    p_score, motions = score_p(runs), [_score_motion(pair) for pair in pairing.cases]
    new_cases, rerun = score_differences(*pairing.scores(), level=level)
    subject = SubjectComparison(
        pair=pairing.subject,
        cases=len(pairing.cases),
        baseline_pass_rate=float(before.rates.mean()),
        current_pass_rate=float(after.rates.mean()),
        pass_rate_change=Estimate.of(found.rerun.value, found.new_cases.interval, found.rerun.interval),
        score_change=Estimate.of(rerun.value, new_cases.interval, rerun.interval),
        p_drop=found.drop.p,
        p_method=str(found.drop.method),
        odds_ratio=found.odds_ratio,
        # What a gate would have seen; a drop that was seen needs no such figure.
        detection=None
        if found.drop.p <= 1 - level
        else detection(pairing, p_score=p_score, drop=GateRule().margin, alpha=alpha),
        worse=found.worse,
        better=found.better,
        p_score=p_score,
        score_worse=sum(motion < 0 for motion in motions),
        score_better=sum(motion > 0 for motion in motions),
        p_rise=found.rise.p,
        p_score_rise=score_p(runs.exchanged),
    )
    changes = [_change(pair, limit, row, found) for row, pair in enumerate(pairing.cases)]
    return subject, changes


def _suites(pairing: Pairing, level: float) -> list[SuiteComparison]:
    by_suite: defaultdict[str, list[PairedCase]] = defaultdict(list)
    for pair in pairing.cases:
        by_suite[pair.current.suite].append(pair)
    return [_suite(suite, replace(pairing, cases=tuple(cases)), level) for suite, cases in by_suite.items()]


def _suite(suite: str, pairing: Pairing, level: float) -> SuiteComparison:
    before, after = pairing.counts()
    new_cases, rerun = score_differences(before.sums, after.sums, level=level)
    changes = [pair.current.c * pair.baseline.n - pair.baseline.c * pair.current.n for pair in pairing.cases]
    return SuiteComparison(
        pair=pairing.subject,
        suite=suite,
        cases=len(pairing.cases),
        baseline_pass_rate=float(before.rates.mean()),
        current_pass_rate=float(after.rates.mean()),
        pass_rate_change=Estimate.of(rerun.value, new_cases.interval, rerun.interval),
        worse=sum(change < 0 for change in changes),
        better=sum(change > 0 for change in changes),
    )


def _change(pair: PairedCase, limit: Fraction, row: int, found: RunComparison) -> ScoreChange:
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
        p_drop=found.case_p[row],
        stands_out=row in found.standing_out or (is_improved and row in found.rising_out),
        p_rise=found.case_rise_p[row],
    )


def shift_of(pair: PairedCase, limit: Fraction) -> ScoreShift:
    """Return how the score of a case changed, by the threshold rule; exact where the stored scores are."""
    rounding = rounding_of_change(*(_is_whole(case) for case in (pair.baseline, pair.current)))
    return change_of_shares(
        exact_score(pair.baseline), exact_score(pair.current), threshold=limit, rounding=rounding
    )


def _score_motion(pair: PairedCase) -> int:
    """Return whether the mean score of a case rose (above 0) or fell, exactly."""
    (old, of_old), (new, of_new) = exact_score(pair.baseline), exact_score(pair.current)
    return new * of_old - old * of_new


def _is_whole(case: CaseSummary) -> bool:
    return are_whole(score_sum=case.score_sum_micro, score_sq=case.score_sq_micro)


def exact_score(case: CaseSummary) -> tuple[int, int]:
    """Return the exact mean score over attempts, as a part and the whole it is of."""
    return case.score_sum_micro, case.score_n * MICRO_POINTS
