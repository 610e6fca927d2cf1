"""Summarise the judging of a run: the judges, their agreement and their cost."""

from fractions import Fraction

from steelyard.metrics.judge_agreement import VerdictAgreement, judge_agreement
from steelyard.model.estimate import Estimate, Interval, Reason
from steelyard.model.report_runs import JudgesSummary, VerdictsOfTwo
from steelyard.model.run import RunJudges
from steelyard.model.units import NANO_USD
from steelyard.store.run.judgements import JudgingOfRun


def judges_summary(judging: JudgingOfRun, judges: RunJudges, *, level: float) -> JudgesSummary:
    """Return what is said about the judges of a run; their agreement is that of the sample."""
    sample = {"/".join(map(str, key)): judgement for key, judgement in judging.sample.items()}
    agreement = judge_agreement(sample, threshold=Fraction(judges.pass_threshold), level=level)
    cost = judging.cost_nano_usd
    return JudgesSummary(
        judges=judges.models,
        rubric=judges.rubric,
        rubric_digest=judges.rubric_digest,
        answers=judging.answers,
        replies=judging.replies,
        unusable=judging.unusable,
        disagreeing=judging.disagreeing,
        totals_off=judging.totals_off,
        cost_usd=None if cost is None else cost / NANO_USD,
        unusable_by_judge=dict(judging.unusable_by_judge),
        missing_by_judge=dict(judging.missing_by_judge),
        compared=agreement.answers,
        alpha=_trusted(agreement.alpha, agreement.interval),
        repeat=dict(agreement.repeat),
        verdicts=None if agreement.verdicts is None else _verdicts(agreement.verdicts),
        subjects=judging.subjects,
    )


def judges_warnings(summary: JudgesSummary) -> tuple[str, ...]:
    """Return what a reader of the agreement must know."""
    if summary.compared is None or summary.compared >= summary.answers:
        return ()
    some = f"measured on {summary.compared:,} of {summary.answers:,} answers, drawn by a hash of their keys"
    return (f"agreement of judges: {some}; everything else counts all of them",)


def _trusted(value: float | None, interval: Interval) -> Estimate:
    if value is None:
        return Estimate.undefined(Reason.NOT_MEASURED)
    return Estimate.of(value, *([interval] if interval.is_bounded else []))


def _verdicts(verdict_agreement: VerdictAgreement) -> VerdictsOfTwo:
    return VerdictsOfTwo(
        answers=verdict_agreement.answers,
        agreement=verdict_agreement.shares.agreement,
        kappa=_trusted(verdict_agreement.kappa, verdict_agreement.interval),
        passed_by_first=verdict_agreement.shares.first[1],
        passed_by_second=verdict_agreement.shares.second[1],
    )
