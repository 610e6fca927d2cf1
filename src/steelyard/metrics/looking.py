"""Turn a step of a sequential gate into a verdict: going on is what inconclusive means here.

That no drop was shown is no pass. It takes a bound that holds at every look together.
"""

from dataclasses import dataclass, replace
from math import log

from steelyard.metrics.betting import log_e_within
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.judging import PairedRuns, evidence_of, passed_or_open, refusal, settled
from steelyard.metrics.quantiles import normal_quantile
from steelyard.metrics.sequential import Step, sprt_step
from steelyard.model.verdict import GateDecision, GateRule, Ground

LARGEST_P = 1e-15  # short of 1, where a p-value has no z


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs of single samples of all rounds: passes that became failures, the reverse, and neither."""

    losses: int = 0
    wins: int = 0
    same: int = 0


def exact_z(baseline: CaseCounts, current: CaseCounts) -> float:
    """Return the z that a look compares with its bound, positive towards a drop: that of the exact p-value.

    z with P(Z >= z) = p of `cmh_test`. With few samples it is smaller than the plain z, whose bounds
    would be crossed too often. Range: [-8, 21], 0 without evidence. Source: as `cmh_test`.

    >>> exact_z(CaseCounts.of(n=1, c=[1, 1]), CaseCounts.of(n=1, c=[1, 1]))
    0.0
    """
    test = cmh_test(baseline, current)
    return 0.0 if test.z is None else -normal_quantile(min(test.p, 1 - LARGEST_P))


def look_decision(runs: PairedRuns, step: Step, *, looks: int, rule: GateRule) -> GateDecision:
    """Decide at one of several planned looks.

    FAIL where the step says that there is a drop; PASS where the largest plausible drop is below the margin,
    its bound taken at alpha / looks, so that all looks together pass a drop of the margin at most at the
    rate alpha; else INCONCLUSIVE. Range: looks >= 1. Source: Bonferroni's inequality.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> ten = CaseCounts.of(n=1, c=[1] * 10)
    >>> look_decision(PairedRuns(baseline=ten, current=ten), Step.NO_DROP, looks=5, rule=GateRule()).verdict
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    """
    if refused := refusal(runs, rule):
        return refused
    evidence = evidence_of(runs, rule, alpha=rule.alpha, bound_alpha=rule.alpha / looks)
    decision = settled(evidence, rule, grounds=[Ground.OVERALL_DROP] if step is Step.DROP else [])
    return ended(decision, step)


def anytime_decision(runs: PairedRuns, pairs: Pairs, *, rule: GateRule) -> GateDecision:
    """Decide after any number of rounds of one pair of samples of each case; `runs` is the last round.

    FAIL when the e-value for a drop reaches 1/alpha, PASS when the one for a drop below the margin does,
    else INCONCLUSIVE. Range: each is wrong at most at the rate alpha, whenever one looks.
    Source: `sprt_step`, `log_e_within`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> last = PairedRuns(baseline=CaseCounts.of(n=1, c=[1] * 9), current=CaseCounts.of(n=1, c=[1] * 9))
    >>> [anytime_decision(last, Pairs(same=same), rule=GateRule()).verdict.value for same in (9, 90)]
    ['inconclusive', 'pass']
    """
    if refused := refusal(runs, rule):
        return refused
    step = sprt_step(losses=pairs.losses, wins=pairs.wins, alpha=rule.alpha)
    evidence = evidence_of(runs, rule, alpha=rule.alpha, bound_alpha=rule.alpha)
    if step is Step.DROP:
        return settled(evidence, rule, grounds=[Ground.OVERALL_DROP])
    within = log_e_within(losses=pairs.losses, wins=pairs.wins, same=pairs.same, margin=rule.margin)
    return ended(passed_or_open(evidence, is_within=within >= -log(rule.alpha)), step)


def ended(decision: GateDecision, step: Step) -> GateDecision:
    """Say of an open verdict that going on would hardly show a drop, if the step says so."""
    if step is Step.NO_DROP and decision.grounds == (Ground.TOO_FEW_SAMPLES,):
        return replace(decision, grounds=(Ground.NOT_RULED_OUT,))
    return decision
