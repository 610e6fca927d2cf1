"""Build comparisons for the tests of the renderers."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.model.comparison import (
    CaseRef,
    ChangeKind,
    Comparison,
    PairedSubject,
    ScoreChange,
    SubjectComparison,
)
from steelyard.model.estimate import Estimate
from steelyard.model.verdict import DetectionChances, GateDecision, GateEvidence, Ground, Verdict
from tests.analysis.reports import interval, rerun

CHANCES = DetectionChances(drop=0.05, spread=0.89, one_case=0.66)


def pair(baseline: str = "acme/large", current: str = "acme/large", *, tier: str = "T0") -> PairedSubject:
    return PairedSubject(
        baseline_model=baseline, baseline_tier=tier, current_model=current, current_tier=tier
    )


def compared(pair: PairedSubject = pair(), *, p_drop: float = 0.41) -> SubjectComparison:  # noqa: B008  # frozen
    """Return a subject that fell a little, as noise does."""
    change = Estimate.of(-0.033, interval(-0.12, 0.054), rerun(-0.091, 0.024))
    return SubjectComparison(
        pair=pair,
        cases=15,
        baseline_pass_rate=0.8333,
        current_pass_rate=0.8,
        pass_rate_change=change,
        score_change=Estimate.of(-0.021, interval(-0.1, 0.06), rerun(-0.08, 0.038)),
        p_drop=p_drop,
        p_method="exact",
        odds_ratio=0.71,
        decision=decision(Ground.WITHIN_MARGIN),
        worse=3,
        better=2,
    )


def decision(
    *grounds: Ground,
    before: float = 0.8333,
    now: float = 0.8,
    chances: DetectionChances = CHANCES,
    p_rise: float | None = None,
) -> GateDecision:
    """Return the decision of a gate; the first ground decides it."""
    fails = {Ground.OVERALL_DROP, Ground.BROKEN_CASES, Ground.SCORE_DROP, Ground.SEVERAL_CASES}
    verdict = Verdict.FAIL if grounds[0] in fails else Verdict.INCONCLUSIVE
    verdict = Verdict.PASS if grounds[0] is Ground.WITHIN_MARGIN else verdict
    evidence = GateEvidence(
        cases=15,
        error_share=0.0,
        baseline_pass_rate=before,
        current_pass_rate=now,
        p_rise=p_rise,
        detection=None if verdict is Verdict.FAIL else chances,
    )
    return GateDecision(verdict=verdict, grounds=grounds, evidence=evidence)


def change(
    name: str, before: float, after: float, *, model: str = "acme/large", p: float | None = 0.24
) -> ScoreChange:
    """Return a change of one case; a drop with a very small p stands out."""
    is_drop = after < before
    return ScoreChange(
        model=model,
        tier="T0",
        suite="basics",
        case=name,
        kind=ChangeKind.REGRESSION if is_drop else ChangeKind.IMPROVEMENT,
        baseline_score=before,
        current_score=after,
        delta=after - before,
        p_drop=p,
        stands_out=is_drop and p is not None and p < 0.01,
    )


def ref(name: str, *, model: str = "acme/large", suite: str = "basics") -> CaseRef:
    return CaseRef(model=model, tier="T0", suite=suite, case=name)


def comparison(
    *,
    subjects: Sequence[SubjectComparison] = (compared(),),
    regressions: Sequence[ScoreChange] = (),
    improvements: Sequence[ScoreChange] = (),
    unchanged: int = 12,
    listed: Sequence[CaseRef] = (),
) -> Comparison:
    """Return a comparison; `listed` cases stand in each of the four lists."""
    return Comparison(
        generator="steelyard 0.0.0",
        threshold=0.05,
        subjects=tuple(subjects),
        regressions=tuple(regressions),
        improvements=tuple(improvements),
        unchanged=unchanged,
        new_cases=tuple(listed),
        removed_cases=tuple(listed),
        changed_cases=tuple(listed),
        without_evidence=tuple(listed),
    )


def mixed_comparison() -> Comparison:
    """Return two regressions, one of them no noise, an improvement and a case in every list."""
    return comparison(
        regressions=[change("lru_cache", 0.9, 0.6, p=0.004), change("fizzbuzz", 0.9, 0.849999)],
        improvements=[change("parser", 0.1, 0.9)],
        listed=[ref("elsewhere")],
    )


def _clear_drop() -> Comparison:
    change_of_all = Estimate.of(-0.112, interval(-0.148, -0.074), rerun(-0.144, -0.08))
    fell = replace(
        compared(p_drop=0.0004),
        current_pass_rate=0.7213,
        pass_rate_change=change_of_all,
        score_change=change_of_all,
        odds_ratio=0.34,
        decision=decision(Ground.OVERALL_DROP, now=0.7213),
    )
    drops = [change("lru_cache", 1.0, 0.0, p=0.0001), change("parser", 0.8, 0.4, p=0.26)]
    return comparison(subjects=[fell], regressions=drops)


SITUATIONS = {
    "clear drop": _clear_drop(),
    "noise": comparison(
        regressions=[change("parser", 0.8, 0.6)], improvements=[change("fizzbuzz", 0.8, 1.0)]
    ),
    "one broken case": comparison(
        subjects=[
            replace(compared(), decision=decision(Ground.BROKEN_CASES), named_cases=(ref("lru_cache"),))
        ],
        regressions=[change("lru_cache", 1.0, 0.0, p=0.0001)],
    ),
    "too little data": comparison(
        subjects=[
            replace(
                compared(p_drop=0.5),
                cases=30,
                decision=decision(
                    Ground.TOO_FEW_SAMPLES,
                    chances=DetectionChances(drop=0.05, spread=0.08, one_case=0.0),
                ),
            )
        ],
        regressions=[change("parser", 1.0, 0.0, p=0.5)],
    ),
}
