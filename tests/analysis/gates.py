"""Build verdicts for the tests of the renderers: four situations that people meet, and odd ones.

The numbers need not follow from each other; renderers do not compute.
"""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.model.comparison import CaseRef, PairedSubject
from steelyard.model.gate import GateForm, GateReport, Resample, SubjectGate
from steelyard.model.verdict import DetectionChances, GateDecision, GateEvidence, GateRule, Ground, Verdict
from tests.analysis.comparisons import pair, ref

PAIR = pair()
VERDICTS = {
    Ground.OVERALL_DROP: Verdict.FAIL,
    Ground.BROKEN_CASES: Verdict.FAIL,
    Ground.WITHIN_MARGIN: Verdict.PASS,
}


def evidence(  # noqa: PLR0913  # each test says what matters to it
    *,
    drop: float | None = 0.004,
    p: float | None = 0.41,
    largest: float | None = 0.021,
    seen: float = 0.89,
    more: int | None = None,
    error_share: float = 0.0,
) -> GateEvidence:
    """Return the numbers behind a decision; by default a drop so small that noise explains it."""
    return GateEvidence(
        cases=164,
        error_share=error_share,
        p_overall=p,
        p_method="exact",
        baseline_pass_rate=None if drop is None else 0.9,
        current_pass_rate=None if drop is None else 0.9 - drop,
        drop=drop,
        largest_plausible_drop=largest,
        detection=None if drop is None else DetectionChances(drop=0.05, spread=seen, one_case=0.66),
        more_samples=more,
    )


def judged(  # each test says what matters to it
    *grounds: Ground,
    of: PairedSubject = PAIR,
    by: GateEvidence | None = None,
    broken: Sequence[CaseRef] = (),
    stands_out: Sequence[CaseRef] = (),
    resample: Sequence[CaseRef] = (),
) -> SubjectGate:
    """Return a verdict on one pair; the first ground decides it."""
    verdict = VERDICTS.get(grounds[0], Verdict.INCONCLUSIVE)
    found = by or evidence()
    if verdict is Verdict.FAIL or resample:
        found = replace(found, detection=None)  # it saw something, or goes on looking
    return SubjectGate(
        pair=of,
        decision=GateDecision(verdict=verdict, grounds=grounds, evidence=found),
        broken_cases=tuple(broken),
        standing_out=tuple(stands_out),
        resample=Resample(cases=tuple(resample), samples=10) if resample else None,
    )


def gate(
    *subjects: SubjectGate,
    form: GateForm = GateForm.ONE_SHOT,
    flagged: int = 27,
    new: int = 0,
    missing: Sequence[CaseRef] = (),
) -> GateReport:
    """Return a verdict over all subjects, the worst of theirs."""
    found = [subject.decision.verdict for subject in subjects]
    order = (Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.PASS)
    worst = min(found, key=order.index, default=Verdict.INCONCLUSIVE)
    return GateReport(
        generator="steelyard 0.0.0",
        verdict=worst,
        form=form,
        rule=GateRule(),
        threshold_regressions=flagged,
        unpaired_cases=new + len(missing),
        missing_cases=tuple(missing),
        subjects=subjects,
    )


def clear_drop() -> GateReport:
    fell = evidence(drop=0.112, p=0.0004, largest=0.139)
    return gate(judged(Ground.OVERALL_DROP, by=fell), flagged=76)


def noise() -> GateReport:
    return gate(judged(Ground.WITHIN_MARGIN))


def one_broken_case() -> GateReport:
    return gate(judged(Ground.BROKEN_CASES, broken=[ref("lru_cache")]), new=2)


def too_little_data() -> GateReport:
    open_end = evidence(drop=0.033, p=0.35, largest=0.093, seen=0.17, more=12)
    return gate(judged(Ground.TOO_FEW_SAMPLES, by=open_end), flagged=3)


def first_stage() -> GateReport:
    again = judged(Ground.WITHIN_MARGIN, resample=[ref("lru_cache"), ref("parser")])
    return gate(again, form=GateForm.FIRST_STAGE)


SITUATIONS = {
    "clear drop": clear_drop(),
    "noise": noise(),
    "one broken case": one_broken_case(),
    "too little data": too_little_data(),
    "first stage": first_stage(),
}
