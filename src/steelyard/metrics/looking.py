"""Turn a step of a sequential gate into a verdict: going on is what inconclusive means here.

That no drop was shown is no pass. It takes a bound that holds at every look together.
"""

from dataclasses import replace
from math import exp, log

from steelyard.metrics.betting import log_e_within, log_stakes, mean_of_logs
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.metrics.judging import evidence_of, passed_or_open, refusal, settled
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.quantiles import normal_quantile
from steelyard.metrics.sequential import Step, log_e_value, sprt_step
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateDecision, GateRule, Ground, SequenceEvidence

LARGEST_P = 1e-15  # short of 1, where a p-value has no z
LARGEST_LOG = 700.0  # of a number that a float can hold


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

    >>> ten = CaseCounts.of(n=1, c=[1] * 10)
    >>> look_decision(PairedRuns(baseline=ten, current=ten), Step.NO_DROP, looks=5, rule=GateRule()).verdict
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    """
    if refused := refusal(runs, rule):
        return refused
    evidence = evidence_of(runs, rule, bound_alpha=rule.alpha / looks)
    decision = settled(evidence, rule, grounds=[Ground.OVERALL_DROP] if step is Step.DROP else [])
    return ended(decision, step)


def with_round(seen: PairsSeen, runs: PairedRuns, *, margin: float) -> PairsSeen:
    """Add a round of one sample of each case in both runs to the pairs that were seen.

    >>> last = PairedRuns(baseline=CaseCounts.of(n=1, c=[1, 1, 0]), current=CaseCounts.of(n=1, c=[1, 0, 0]))
    >>> with_round(PairsSeen(rounds=1, wins=4), last, margin=0.05)
    PairsSeen(rounds=2, losses=1, wins=4, same=2, score_stakes=())
    """
    losses = int((runs.baseline.c > runs.current.c).sum())
    wins = int((runs.baseline.c < runs.current.c).sum())
    stakes: tuple[float, ...] = seen.score_stakes
    if runs.scores is not None:
        now = log_stakes(runs.scores[0].means - runs.scores[1].means, margin=margin)
        stakes = tuple(old + new for old, new in zip(stakes or (0.0,) * len(now), now, strict=True))
    return PairsSeen(
        rounds=seen.rounds + 1,
        losses=seen.losses + losses,
        wins=seen.wins + wins,
        same=seen.same + len(runs.baseline) - losses - wins,
        score_stakes=stakes,
    )


def anytime_decision(runs: PairedRuns, seen: PairsSeen, *, rule: GateRule) -> GateDecision:
    """Decide after any number of rounds of one pair of samples of each case; `runs` is the last round.

    FAIL when the e-value for a drop reaches 1/alpha, PASS when the one for a drop below the margin does,
    of the scores as well if they say more than passes, else INCONCLUSIVE. Range: each is wrong at most at the
    rate alpha, whenever one looks. Source: `sprt_step`, `log_e_within`.

    >>> last = PairedRuns(baseline=CaseCounts.of(n=1, c=[1] * 9), current=CaseCounts.of(n=1, c=[1] * 9))
    >>> [anytime_decision(last, PairsSeen(same=same), rule=GateRule()).verdict.value for same in (9, 90)]
    ['inconclusive', 'pass']
    """
    if refused := refusal(runs, rule):
        return refused
    losses, wins, same = seen.losses, seen.wins, seen.same
    step = sprt_step(losses=losses, wins=wins, alpha=rule.alpha)
    within = log_e_within(losses=losses, wins=wins, same=same, margin=rule.margin)
    if seen.score_stakes:
        within = min(within, mean_of_logs(seen.score_stakes))
    pairs = SequenceEvidence(
        rounds=seen.rounds,
        losses=losses,
        wins=wins,
        same=same,
        e_drop=_number(log_e_value(losses=losses, wins=wins)),
        e_within=_number(within),
    )
    evidence = evidence_of(runs, rule, bound_alpha=rule.alpha)
    evidence = replace(evidence, sequence=pairs, more_samples=None)
    if step is Step.DROP:
        return settled(evidence, rule, grounds=[Ground.OVERALL_DROP])
    return ended(passed_or_open(evidence, is_within=within >= -log(rule.alpha)), step)


def _number(logarithm: float) -> float:
    """Return the number of a logarithm, short of what a float cannot hold."""
    return exp(min(logarithm, LARGEST_LOG))


def ended(decision: GateDecision, step: Step) -> GateDecision:
    """Say of an open verdict that going on would hardly show a drop, if the step says so.

    >>> from steelyard.model.verdict import GateEvidence
    >>> found = GateEvidence(cases=9, error_share=0)
    >>> ended(passed_or_open(found, is_within=False), Step.NO_DROP).grounds[0].value
    'not_ruled_out'
    """
    if step is Step.NO_DROP and decision.grounds == (Ground.TOO_FEW_SAMPLES,):
        return replace(decision, grounds=(Ground.NOT_RULED_OUT,))
    return decision
