"""Judge one metric of two finished runs by itself: the score, or what a sample costs or takes.

Passes, and refusals as their mirror image, are judged by `metrics/gates.py`.
"""

from collections.abc import Sequence

from steelyard.metrics.cases import Floats
from steelyard.metrics.decisions import evidence_of, is_at_most, is_below_margin, passed_or_open, refusal
from steelyard.metrics.gates import decide_once
from steelyard.metrics.multiplicity import TIE
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.rises import rise_of
from steelyard.model.verdict import GateDecision, GateEvidence, GateRule, Ground, Verdict

Amounts = Sequence[float] | Floats


def decide_scores(runs: PairedRuns, *, rule: GateRule) -> GateDecision:
    """Judge the scores of two finished runs of the same cases, whatever the passes do.

    FAIL when `score_p` is at most alpha, PASS when the largest plausible drop of the score is below the
    margin, else INCONCLUSIVE; where scores are the passes, `decide_once`. Range: as `decide_once`.
    Source: `score_p`, `largest_drop`.

    >>> from steelyard.metrics.cases import CaseCounts, CaseSums
    >>> passes = CaseCounts.of(n=1, c=[1] * 90)
    >>> old, new = (CaseSums.of(n=[1] * 90, total=[s] * 90, total_sq=[s * s] * 90) for s in (0.9, 0.5))
    >>> runs = PairedRuns(baseline=passes, current=passes, scores=(old, new))
    >>> decide_scores(runs, rule=GateRule()).grounds[0].value
    'score_drop'
    """
    if runs.scores is None:
        return decide_once(runs, rule=rule)
    if refused := refusal(runs, rule):
        return refused
    both = evidence_of(runs, rule, bound_alpha=rule.alpha)
    evidence = GateEvidence(
        cases=both.cases,
        error_share=both.error_share,
        missing_samples=both.missing_samples,
        p_score=both.p_score,
        score_drop=both.score_drop,
        largest_plausible_score_drop=both.largest_plausible_score_drop,
    )
    if is_at_most(evidence.p_score, rule.alpha) and not is_below_margin(Ground.SCORE_DROP, evidence, rule):
        return GateDecision(verdict=Verdict.FAIL, grounds=(Ground.SCORE_DROP,), evidence=evidence)
    largest = evidence.largest_plausible_score_drop
    return passed_or_open(evidence, is_within=largest is not None and largest < rule.margin)


def decide_amounts(
    runs: PairedRuns, baseline: Amounts, current: Amounts, *, margin: float, rule: GateRule
) -> GateDecision:
    """Judge how much more of something a case takes, such as money or time, over the same cases.

    By the bounds of `rise_of`: FAIL when even the lower one is the margin or more, PASS when the upper one is
    below it, else INCONCLUSIVE; a margin of 0.1 is ten percent, and may be above 1. A rise below the margin
    never fails, however surely it is seen; a rise from nothing does. Range: each is wrong at most at the rate
    alpha where the rise is the margin. Source: `rise_of`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> six = CaseCounts.of(n=1, c=[1] * 6)
    >>> runs = PairedRuns(baseline=six, current=six)
    >>> old = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> new = [1.5 * amount for amount in old]
    >>> [decide_amounts(runs, old, new, margin=m, rule=GateRule()).verdict.value for m in (0.1, 0.6)]
    ['fail', 'pass']
    """
    if refused := refusal(runs, rule):
        return refused
    rise = rise_of(baseline, current, alpha=rule.alpha)
    evidence = GateEvidence(
        cases=len(baseline),
        error_share=runs.error_share,
        missing_samples=runs.missing_samples,
        rise=rise.value,
        smallest_plausible_rise=rise.smallest,
        largest_plausible_rise=rise.largest,
    )
    if sum(baseline) == 0 < sum(current):  # from nothing, every rise is above any share
        return GateDecision(verdict=Verdict.FAIL, grounds=(Ground.RISE,), evidence=evidence)
    limit = margin / TIE  # a rise of exactly the margin is one, whatever rounding makes of it
    if rise.smallest is not None and rise.smallest >= limit:
        return GateDecision(verdict=Verdict.FAIL, grounds=(Ground.RISE,), evidence=evidence)
    is_within = rise.largest is not None and rise.largest < limit
    return passed_or_open(evidence, is_within=is_within)


def not_there(runs: PairedRuns) -> GateDecision:
    """Return a decision not to decide, where a required suite has no case with evidence on both sides.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> one = CaseCounts.of(n=1, c=[1])
    >>> not_there(PairedRuns(baseline=one, current=one)).grounds[0].value
    'no_shared_cases'
    """
    return _undecided(runs, Ground.NO_SHARED_CASES)


def not_measured(runs: PairedRuns) -> GateDecision:
    """Return a decision not to decide, where one of the runs does not hold the metric for every case.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> one = CaseCounts.of(n=1, c=[1])
    >>> not_measured(PairedRuns(baseline=one, current=one)).grounds[0].value
    'not_measured'
    """
    return _undecided(runs, Ground.NOT_MEASURED)


def not_alike(runs: PairedRuns) -> GateDecision:
    """Return a decision not to decide, where the runs have different numbers of samples of too many cases.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> runs = PairedRuns(baseline=CaseCounts.of(n=1, c=[1]), current=CaseCounts.of(n=2, c=[1]))
    >>> not_alike(runs).grounds[0].value
    'unequal_samples'
    """
    return _undecided(runs, Ground.UNEQUAL_SAMPLES)


def _undecided(runs: PairedRuns, ground: Ground) -> GateDecision:
    evidence = GateEvidence(
        cases=len(runs.baseline), error_share=runs.error_share, missing_samples=runs.missing_samples
    )
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=evidence)
