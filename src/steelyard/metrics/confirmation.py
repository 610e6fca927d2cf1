"""Confirm a suspicion in two stages: fail at once, or draw the suspicious cases again and judge by those."""

from dataclasses import replace

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, Ints, check_paired
from steelyard.metrics.cmh import PMethod
from steelyard.metrics.decisions import evidence_of, is_at_most, refusal, score_p, settled, shares_of_alpha
from steelyard.metrics.dependence import are_dependent, unless_dependent
from steelyard.metrics.drop_test import overall_drop_test
from steelyard.metrics.multiplicity import fisher_tests, tarone
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import ConfirmPlan, GateDecision, GateRule, Ground, Verdict

DEFAULT_RULE = GateRule()


def confirm_plan(runs: PairedRuns, *, rule: GateRule = DEFAULT_RULE) -> ConfirmPlan:
    """Take the first of two stages: fail at once, or say which cases to resample in both runs.

    `overall_drop_test` over all cases at alpha/2 fails at once, and the plan is then empty; where scores say
    more than passes, the two share alpha/2. Otherwise up to `rule.confirm_cases` cases with the largest drop
    of the pass rate (ties: smaller Fisher p, then position) are to be drawn `rule.confirm_samples` more
    times, in both runs. Range: 0 .. confirm_cases. Source: error rates by `python -m perf.simulations gates`.

    >>> before, after = CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49)
    >>> plan = confirm_plan(PairedRuns(baseline=before, current=after))
    >>> plan.cases, plan.samples, plan.unless_confirmed.verdict.value
    ((0,), 10, 'inconclusive')
    """
    check_paired(runs.baseline, runs.current)
    if refused := refusal(runs, rule):
        return ConfirmPlan(cases=(), samples=rule.confirm_samples, unless_confirmed=refused)
    suspects = _most_dropped(runs.baseline, runs.current, at_most=rule.confirm_cases)
    if are_dependent(runs.baseline, runs.current):
        return ConfirmPlan(cases=(), samples=rule.confirm_samples, unless_confirmed=_dependent(runs, rule))
    first = _first_stage(runs, suspects, rule)
    is_final = first.verdict is Verdict.FAIL
    return ConfirmPlan(
        cases=() if is_final else suspects, samples=rule.confirm_samples, unless_confirmed=first
    )


def confirm_decision(  # noqa: PLR0913  # a plan, two runs, and what is known of them
    plan: ConfirmPlan,
    baseline: CaseCounts,
    current: CaseCounts,
    *,
    rule: GateRule = DEFAULT_RULE,
    error_share: float = 0.0,
    clusters: Ints | None = None,
) -> GateDecision:
    """Take the second stage: judge the fresh samples of the planned cases, and only those.

    FAIL when Tarone's correction of Fisher's tests, or `overall_drop_test` of the planned cases, rejects
    at alpha/4 each. Otherwise what the first stage says, but nothing has passed while a case has fewer fresh
    samples than were planned. The first stage's counts of these cases are not used again: they were chosen
    for looking bad. Rows follow `plan.cases`. Range: false alarms of both stages together at most alpha.
    Source: as `confirm_plan`.

    >>> before, after = CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49)
    >>> plan = confirm_plan(PairedRuns(baseline=before, current=after))
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
    runs = PairedRuns(baseline=baseline, current=current, error_share=error_share, clusters=clusters)
    if refused := refusal(runs, rule):
        return refused
    overall = overall_drop_test(runs)
    broken = tarone(fisher_tests(baseline, current), alpha=rule.alpha / 4)
    together = (Ground.OVERALL_DROP,) if is_at_most(overall.p, rule.alpha / 4) else ()
    grounds = (*together, Ground.BROKEN_CASES) if broken.cases else together
    if not grounds:
        is_short = min(int(baseline.n.min()), int(current.n.min())) < plan.samples
        return unconfirmed(plan.unless_confirmed) if is_short else plan.unless_confirmed
    evidence = replace(
        plan.unless_confirmed.evidence,
        p_overall=overall.p,
        p_method=overall.method,
        broken_cases=tuple(plan.cases[row] for row in broken.cases),
        more_samples=None,
    )
    failed = GateDecision(verdict=Verdict.FAIL, grounds=grounds, evidence=evidence)
    return unless_dependent(failed, (baseline, current))


def unconfirmed(decision: GateDecision) -> GateDecision:
    """Decide nothing while cases are still to be confirmed, unless the decision is a fail or has no evidence.

    >>> runs = PairedRuns(baseline=CaseCounts.of(n=5, c=[5] * 60), current=CaseCounts.of(n=5, c=[5] * 60))
    >>> unconfirmed(confirm_plan(runs).unless_confirmed).grounds[0].value
    'to_be_confirmed'
    """
    if decision.verdict is Verdict.FAIL or Ground.TOO_MANY_ERRORS in decision.grounds:
        return decision
    return replace(decision, verdict=Verdict.INCONCLUSIVE, grounds=(Ground.TO_BE_CONFIRMED,))


def _dependent(runs: PairedRuns, rule: GateRule) -> GateDecision:
    evidence = replace(evidence_of(runs, rule, bound_alpha=rule.alpha), more_samples=None)
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(Ground.DEPENDENT_SAMPLES,), evidence=evidence)


def _first_stage(runs: PairedRuns, suspects: tuple[int, ...], rule: GateRule) -> GateDecision:
    overall = overall_drop_test(runs)
    can_show = overall.method != PMethod.NO_EVIDENCE
    of_passes, of_scores = shares_of_alpha(passes=can_show, p_score=score_p(runs), alpha=rule.alpha / 2)
    evidence = evidence_of(runs, rule, bound_alpha=rule.alpha)
    # Suspects that are drawn again are judged by their fresh samples alone.
    remaining = tuple(row for row in evidence.standing_out if row not in suspects)
    evidence = replace(evidence, p_overall=overall.p, p_method=overall.method, standing_out=remaining)
    passes = (Ground.OVERALL_DROP,) if is_at_most(overall.p, of_passes) else ()
    scores = (Ground.SCORE_DROP,) if is_at_most(evidence.p_score, of_scores) else ()
    return settled(evidence, rule, grounds=(*passes, *scores))


def _most_dropped(baseline: CaseCounts, current: CaseCounts, *, at_most: int) -> tuple[int, ...]:
    change = np.round(current.rates - baseline.rates, 9)  # equal drops must tie, whatever the rounding
    worst_first = np.lexsort((fisher_tests(baseline, current).p, change))
    dropped = worst_first[change[worst_first] < 0]
    return tuple(dropped[:at_most].tolist())
