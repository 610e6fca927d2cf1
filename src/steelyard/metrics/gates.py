"""Decide whether a run has become worse than its baseline: pass, fail, or not enough evidence.

`decide_once` is for two finished runs. `metrics/confirmation.py` adds a stage of fresh samples of suspicious
cases, `metrics/sequential_gate.py` decides while samples come in.
"""

from dataclasses import replace

from steelyard.metrics.cases import CaseCounts, check_paired
from steelyard.metrics.cmh import PMethod
from steelyard.metrics.decisions import evidence_of, is_at_most, refusal, settled, shares_of_alpha
from steelyard.metrics.dependence import unless_dependent
from steelyard.metrics.drop_test import drop_test, overall_drop_test
from steelyard.metrics.multiplicity import fisher_tests, tarone
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import GateDecision, GateEvidence, GateRule, Ground

DEFAULT_RULE = GateRule()


def one_shot_gate(
    baseline: CaseCounts, current: CaseCounts, *, rule: GateRule = DEFAULT_RULE, error_share: float = 0.0
) -> GateDecision:
    """Judge the passes of two finished runs of the same cases, as `decide_once` does.

    Range and source as `decide_once`.

    >>> before = CaseCounts.of(n=5, c=[5] * 100)
    >>> one_shot_gate(before, CaseCounts.of(n=5, c=[5] * 100)).verdict.value
    'pass'
    >>> broken = one_shot_gate(before, CaseCounts.of(n=5, c=[0] + [5] * 99))
    >>> broken.verdict.value, broken.evidence.broken_cases
    ('fail', (0,))
    """
    runs = PairedRuns(baseline=baseline, current=current, error_share=error_share)
    return decide_once(runs, rule=rule)


def decide_once(runs: PairedRuns, *, rule: GateRule = DEFAULT_RULE) -> GateDecision:
    """Judge two finished runs of the same cases.

    FAIL when `drop_test` rejects "no case changed" for the passes, or `score_p` for the scores; where
    scores say more than passes, each may spend half of alpha. Otherwise PASS when the largest plausible drop
    of the passes, and of the scores, is smaller than the margin and no single case dropped beyond noise, else
    INCONCLUSIVE. Also INCONCLUSIVE when more than `rule.max_error_share` of the samples is missing because of
    infrastructure errors, and when the test of a drop and that of a rise both reject: then the samples of a
    case are not independent. Range: false alarms at most alpha, and passes at most alpha where the drop is
    the margin. Source: `drop_test`, `largest_drop`; rates by `python -m perf.simulations gates`.

    >>> before = CaseCounts.of(n=5, c=[5] * 100)
    >>> decide_once(PairedRuns(baseline=before, current=before)).verdict.value
    'pass'
    """
    check_paired(runs.baseline, runs.current)
    if refused := refusal(runs, rule):
        return refused
    test = drop_test(runs, alpha=rule.alpha)
    can_show = test.method != PMethod.NO_EVIDENCE
    evidence = evidence_of(runs, rule, bound_alpha=rule.alpha)
    of_passes, of_scores = shares_of_alpha(passes=can_show, p_score=evidence.p_score, alpha=rule.alpha)
    evidence = replace(
        evidence,
        p_joint=test.p,
        p_overall=test.overall,
        p_method=test.method,
        p_criticism=test.criticism,
        p_sparse=test.sparse,
    )
    evidence = replace(evidence, p_rise=overall_drop_test(runs.exchanged).p)
    grounds: tuple[Ground, ...] = ()
    if is_at_most(test.p, of_passes):
        # A test weighs cases by their samples. Where the mean over cases rose, only single cases dropped.
        is_overall = is_at_most(test.overall, of_passes) and (evidence.drop or 0) > 0
        broken = _broken(runs, evidence, alpha=of_passes)
        evidence = replace(evidence, broken_cases=broken)
        overall = (Ground.OVERALL_DROP,) if is_overall else ()
        grounds = (*overall, Ground.BROKEN_CASES) if broken else overall or (Ground.SEVERAL_CASES,)
    if is_at_most(evidence.p_score, of_scores):
        grounds = (*grounds, Ground.SCORE_DROP)
    return unless_dependent(settled(evidence, rule, grounds=grounds), (runs.baseline, runs.current))


def _broken(runs: PairedRuns, evidence: GateEvidence, *, alpha: float) -> tuple[int, ...]:
    """Name the cases whose own drop is beyond noise."""
    alone = tarone(fisher_tests(runs.baseline, runs.current), alpha=alpha / 2).cases
    return tuple(sorted({*alone, *evidence.standing_out}))
