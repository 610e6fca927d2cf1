"""Decide whether a run has become worse than its baseline: pass, fail, or not enough evidence.

Pure decisions on counts. `one_shot_gate` judges two finished runs; `confirm_plan` and `confirm_decision`
ask for fresh samples of the few suspicious cases in between. Looking again and again while samples come in
needs `metrics/sequential.py`.
"""

from dataclasses import replace

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, check_paired
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.judging import PairedRuns, evidence_of, grounds_to_fail, refusal, settled
from steelyard.metrics.multiplicity import fisher_tests, tarone
from steelyard.model.verdict import ConfirmPlan, GateDecision, GateRule, Verdict

DEFAULT_RULE = GateRule()


def one_shot_gate(
    baseline: CaseCounts, current: CaseCounts, *, rule: GateRule = DEFAULT_RULE, error_share: float = 0.0
) -> GateDecision:
    """Judge two finished runs of the same cases.

    FAIL when the exact CMH test rejects "no case changed" at alpha/2, or Tarone's correction of Fisher's
    tests finds a broken case at alpha/2; with so few samples that no case could be found broken, the CMH
    test has all of alpha. Otherwise PASS when the largest plausible drop of the mean is
    smaller than the margin, else INCONCLUSIVE. Also INCONCLUSIVE when more than `rule.max_error_share`
    of the samples is missing because of infrastructure errors. Range: false alarms at most alpha.
    Source: Mantel and Haenszel 1959, Tarone 1990; error rates by `python -m simulations gates`.

    >>> before = CaseCounts.of(n=5, c=[5] * 100)
    >>> one_shot_gate(before, CaseCounts.of(n=5, c=[5] * 100)).verdict.value
    'pass'
    >>> broken = one_shot_gate(before, CaseCounts.of(n=5, c=[0] + [5] * 99))
    >>> broken.verdict.value, broken.evidence.broken_cases
    ('fail', (0,))
    """
    check_paired(baseline, current)
    runs = PairedRuns(baseline=baseline, current=current, error_share=error_share)
    if refused := refusal(runs, rule):
        return refused
    overall = cmh_test(baseline, current)
    broken = tarone(fisher_tests(baseline, current), alpha=rule.alpha / 2)
    # Whether any case could show a break depends on the margins alone, so alpha may depend on it too.
    alpha = rule.alpha / 2 if broken.tested else rule.alpha
    evidence = replace(
        evidence_of(runs, rule, alpha=alpha, bound_alpha=rule.alpha),
        p_overall=overall.p,
        p_method=overall.method,
        broken_cases=broken.cases,
    )
    return settled(evidence, rule, grounds=grounds_to_fail(overall.p, broken.cases, alpha=alpha))


def confirm_plan(
    baseline: CaseCounts, current: CaseCounts, *, rule: GateRule = DEFAULT_RULE, error_share: float = 0.0
) -> ConfirmPlan:
    """Take the first of two stages: fail at once, or say which cases to draw again in both runs.

    The exact CMH test over all cases at alpha/2 fails at once, and the plan is then empty. Otherwise up
    to `rule.confirm_cases` cases with the largest drop of the pass rate (ties: smaller Fisher p, then
    position) are to be drawn `rule.confirm_samples` more times, in both runs. Range: 0 .. confirm_cases.
    Source: error rates by `python -m simulations gates`.

    >>> plan = confirm_plan(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))
    >>> plan.cases, plan.samples, plan.unless_confirmed.verdict.value
    ((0,), 10, 'inconclusive')
    """
    check_paired(baseline, current)
    runs = PairedRuns(baseline=baseline, current=current, error_share=error_share)
    if refused := refusal(runs, rule):
        return ConfirmPlan(cases=(), samples=rule.confirm_samples, unless_confirmed=refused)
    overall = cmh_test(baseline, current)
    evidence = evidence_of(runs, rule, alpha=rule.alpha / 2, bound_alpha=rule.alpha)
    evidence = replace(evidence, p_overall=overall.p, p_method=overall.method)
    first = settled(evidence, rule, grounds=grounds_to_fail(overall.p, (), alpha=rule.alpha / 2))
    failed = first.verdict is Verdict.FAIL
    return ConfirmPlan(
        cases=() if failed else _most_dropped(baseline, current, at_most=rule.confirm_cases),
        samples=rule.confirm_samples,
        unless_confirmed=first,
    )


def confirm_decision(
    plan: ConfirmPlan,
    baseline: CaseCounts,
    current: CaseCounts,
    *,
    rule: GateRule = DEFAULT_RULE,
    error_share: float = 0.0,
) -> GateDecision:
    """Take the second stage: judge the fresh samples of the planned cases, and only those.

    FAIL when Tarone's correction of Fisher's tests, or the exact CMH test over the planned cases, rejects
    at alpha/4 each. Otherwise what the first stage says. The first stage's counts of these cases are not
    used again: they were chosen for looking bad. Rows follow `plan.cases`; drop a case that has no fresh
    samples from the plan first. Range: false alarms of both stages together at most alpha.
    Source: as `confirm_plan`.

    >>> plan = confirm_plan(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))
    >>> confirm_decision(plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[0])).verdict.value
    'fail'
    >>> confirm_decision(plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[9])).verdict.value
    'inconclusive'
    """
    check_paired(baseline, current)
    if len(baseline) != len(plan.cases):
        raise DomainError(f"the plan has {len(plan.cases)} cases, the fresh samples have {len(baseline)}")
    if not plan.cases:
        return plan.unless_confirmed
    runs = PairedRuns(baseline=baseline, current=current, error_share=error_share)
    if refused := refusal(runs, rule):
        return refused
    overall = cmh_test(baseline, current)
    broken = tarone(fisher_tests(baseline, current), alpha=rule.alpha / 4)
    grounds = grounds_to_fail(overall.p, broken.cases, alpha=rule.alpha / 4)
    if not grounds:
        return plan.unless_confirmed
    evidence = replace(
        plan.unless_confirmed.evidence,
        p_overall=overall.p,
        p_method=overall.method,
        broken_cases=tuple(plan.cases[row] for row in broken.cases),
        more_samples=None,
    )
    return GateDecision(verdict=Verdict.FAIL, grounds=grounds, evidence=evidence)


def _most_dropped(baseline: CaseCounts, current: CaseCounts, *, at_most: int) -> tuple[int, ...]:
    change = np.round(current.rates - baseline.rates, 9)  # equal drops must tie, whatever the rounding
    worst_first = np.lexsort((fisher_tests(baseline, current).p, change))
    dropped = worst_first[change[worst_first] < 0]
    return tuple(dropped[:at_most].tolist())
