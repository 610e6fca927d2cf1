"""Summarise the judging of a run: the judges, their agreement and their cost."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from steelyard.metrics.judge_agreement import VerdictAgreement, judge_agreement
from steelyard.model.estimate import Estimate, Interval, Reason
from steelyard.model.judgement import Judgement
from steelyard.model.report_runs import JudgedSubject, JudgesSummary, VerdictsOfTwo
from steelyard.model.run import RunJudges
from steelyard.model.state import SubjectKey
from steelyard.model.units import NANO_USD
from steelyard.store.run.judgements import Judged


def judges_summary(judged: Sequence[Judged], judges: RunJudges, *, level: float) -> JudgesSummary:
    """Return what is said about the judges of a run."""
    once = {"/".join(map(str, one.key)): one.judgement for one in judged if one.is_first}
    found = judge_agreement(once, threshold=Fraction(judges.pass_threshold), level=level)
    by_subject: defaultdict[SubjectKey, list[Judgement]] = defaultdict(list)
    for one in judged:
        by_subject[SubjectKey(one.key.model, one.key.tier)].append(one.judgement)
    every = list(once.values())
    return JudgesSummary(
        judges=judges.models,
        rubric=judges.rubric,
        rubric_digest=judges.rubric_digest,
        answers=found.answers,
        replies=found.replies,
        unusable=found.unusable,
        disagreeing=sum(bool(one.disagreements) for one in every),
        totals_off=sum(reading.is_total_off for one in every for reading in one.usable),
        cost_usd=_cost_usd(every),
        alpha=_trusted(found.alpha, found.interval),
        repeat=dict(found.repeat),
        verdicts=None if found.verdicts is None else _verdicts(found.verdicts),
        subjects=tuple(_subject(key, listed) for key, listed in sorted(by_subject.items())),
    )


def _subject(key: SubjectKey, judged: Sequence[Judgement]) -> JudgedSubject:
    return JudgedSubject(
        model=key.model,
        tier=key.tier,
        answers=len(judged),
        unrated=sum(one.score is None for one in judged),
        disagreeing=sum(bool(one.disagreements) for one in judged),
        saw_tampering=sum(any(reading.saw_tampering for reading in one.readings) for one in judged),
    )


def _cost_usd(judged: Iterable[Judgement]) -> float | None:
    """Return what judging cost; None if it is unknown for one of the replies."""
    costs = [one.cost_nano_usd for one in judged]
    return None if None in costs else sum(cost for cost in costs if cost is not None) / NANO_USD


def _trusted(value: float | None, interval: Interval) -> Estimate:
    if value is None:
        return Estimate.undefined(Reason.NOT_MEASURED)
    return Estimate.of(value, *([interval] if interval.is_bounded else []))


def _verdicts(found: VerdictAgreement) -> VerdictsOfTwo:
    return VerdictsOfTwo(
        answers=found.answers,
        agreement=found.shares.agreement,
        kappa=_trusted(found.kappa, found.interval),
        passed_by_first=found.shares.first[1],
        passed_by_second=found.shares.second[1],
    )
