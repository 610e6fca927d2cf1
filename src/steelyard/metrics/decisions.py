"""Give the parts that every form of gate is made of.

Which tests fail a gate differs from form to form; what it takes to pass does not.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, sqrt

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.clusters import cluster_drop_p
from steelyard.metrics.differences import rerun_difference
from steelyard.metrics.multiplicity import TIE, fisher_tests, standing_out
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.plausible import largest_drop
from steelyard.metrics.quantiles import normal_quantile
from steelyard.metrics.score_tail import score_drop_p
from steelyard.model.verdict import GateDecision, GateEvidence, GateRule, Ground, Verdict

POWER = 0.8  # "probably"
MOST_TIMES = 1000.0  # the samples there are: more than anyone draws
PRECISION = 1.05


def refusal(runs: PairedRuns, rule: GateRule) -> GateDecision | None:
    """Return a decision not to decide, when the evidence is not there.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> nothing = CaseCounts.of(n=[], c=[])
    >>> refusal(PairedRuns(baseline=nothing, current=nothing), GateRule()).grounds[0].value
    'no_shared_cases'
    """
    cases, share = len(runs.baseline), runs.error_share
    if not 0 <= share <= 1:
        raise DomainError(f"a share is between 0 and 1, got an error share of {share}")
    if share > rule.max_error_share:
        ground = Ground.TOO_MANY_ERRORS
    elif cases == 0:
        ground = Ground.NO_SHARED_CASES
    else:
        return None
    old, new = _pass_rates(runs)
    evidence = GateEvidence(
        cases=cases,
        error_share=share,
        missing_samples=runs.missing_samples,
        baseline_pass_rate=old,
        current_pass_rate=new,
    )
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=evidence)


def evidence_of(runs: PairedRuns, rule: GateRule, *, bound_alpha: float) -> GateEvidence:
    """Return how far the means dropped, and how far they may have dropped; the bound spends `bound_alpha`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> runs = PairedRuns(baseline=CaseCounts.of(n=5, c=[5] * 60), current=CaseCounts.of(n=5, c=[5] * 60))
    >>> round(evidence_of(runs, GateRule(), bound_alpha=0.05).largest_plausible_drop, 3)
    0.01
    """
    before, after = runs.pass_sums
    drop = rerun_difference(after, before).value
    worst, worst_scores = runs.passes_at_worst, runs.scores_at_worst
    clusters = runs.clusters_at_worst
    largest = largest_drop(*worst, alpha=bound_alpha, clusters=clusters)
    return GateEvidence(
        cases=len(before),
        error_share=runs.error_share,
        missing_samples=runs.missing_samples,
        baseline_pass_rate=float(before.means.mean()),
        current_pass_rate=float(after.means.mean()),
        drop=drop,
        largest_plausible_drop=largest,
        p_score=score_p(runs),
        score_drop=runs.score_drop,
        largest_plausible_score_drop=worst_scores
        and largest_drop(*worst_scores, alpha=bound_alpha, clusters=clusters),
        standing_out=standing_out(fisher_tests(runs.baseline, runs.current)),
        more_samples=_more_samples(runs, rule, drop=drop, largest=largest),
    )


def score_p(runs: PairedRuns) -> float | None:
    """Return the one-sided p-value that the scores did not drop; None where there are none, or all agree.

    Range: (0, 1]. Source: as `score_drop_p`.

    >>> from steelyard.metrics.cases import CaseCounts
    >>> counts = CaseCounts.of(n=1, c=[1])
    >>> score_p(PairedRuns(baseline=counts, current=counts)) is None
    True
    """
    if runs.scores is None:
        return None
    return (
        score_drop_p(*runs.scores) if runs.clusters is None else cluster_drop_p(*runs.scores, runs.clusters)
    )


def settled(evidence: GateEvidence, rule: GateRule, *, grounds: Sequence[Ground]) -> GateDecision:
    """Fail on these grounds; without any, pass where a drop of the margin is ruled out, and only there.

    A drop of a mean that is surely smaller than the margin is no ground.

    >>> settled(GateEvidence(cases=9, error_share=0), GateRule(), grounds=[Ground.OVERALL_DROP]).verdict
    <Verdict.FAIL: 'fail'>
    """
    grounds = [ground for ground in grounds if not is_below_margin(ground, evidence, rule)]
    if grounds:
        decided = replace(evidence, more_samples=None)
        return GateDecision(verdict=Verdict.FAIL, grounds=tuple(grounds), evidence=decided)
    return passed_or_open(evidence, is_within=is_within_margin(evidence, rule))


def is_below_margin(ground: Ground, evidence: GateEvidence, rule: GateRule) -> bool:
    """Whether the drop of a mean is surely smaller than the margin; a single case has no margin.

    >>> small = GateEvidence(cases=9, error_share=0, largest_plausible_drop=0.03)
    >>> is_below_margin(Ground.OVERALL_DROP, small, GateRule())
    True
    """
    largest = {
        Ground.OVERALL_DROP: evidence.largest_plausible_drop,
        Ground.SCORE_DROP: evidence.largest_plausible_score_drop,
    }.get(ground)
    return largest is not None and largest < rule.margin


def passed_or_open(evidence: GateEvidence, *, is_within: bool) -> GateDecision:
    """Pass where a drop of the margin is ruled out, unless single cases dropped beyond noise.

    >>> passed_or_open(GateEvidence(cases=9, error_share=0, standing_out=(1,)), is_within=True).verdict
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    """
    decided = replace(evidence, more_samples=None)
    if is_within and not evidence.standing_out:
        return GateDecision(verdict=Verdict.PASS, grounds=(Ground.WITHIN_MARGIN,), evidence=decided)
    ground, result = (Ground.CASES_STAND_OUT, decided) if is_within else (Ground.TOO_FEW_SAMPLES, evidence)
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=result)


def is_within_margin(evidence: GateEvidence, rule: GateRule) -> bool:
    """Whether a drop as large as the margin is ruled out: of the passes, and of the scores if there are any.

    >>> is_within_margin(GateEvidence(cases=9, error_share=0, largest_plausible_drop=0.03), GateRule())
    True
    """
    passes, scores = evidence.largest_plausible_drop, evidence.largest_plausible_score_drop
    return passes is not None and passes < rule.margin and (scores is None or scores < rule.margin)


def shares_of_alpha(*, passes: bool, p_score: float | None, alpha: float) -> tuple[float, float]:
    """Return what the tests of passes and of scores may spend: half each, or all if one can show nothing.

    Whether one can depends on the samples of both runs taken together alone, so alpha may depend on it.

    >>> [shares_of_alpha(passes=True, p_score=p, alpha=0.05) for p in (None, 1)]
    [(0.05, 0.0), (0.025, 0.025)]
    """
    if p_score is None:
        return alpha, 0.0
    return (alpha / 2, alpha / 2) if passes else (0.0, alpha)


def is_at_most(p: float | None, alpha: float) -> bool:
    """Whether a p-value is no more than a level, rounding aside.

    >>> is_at_most(0.05, 0.05), is_at_most(None, 0.05)
    (True, False)
    """
    return p is not None and p <= alpha * TIE


def _pass_rates(runs: PairedRuns) -> tuple[float | None, float | None]:
    """Return the mean pass rates of both runs, where they share a case."""
    if not len(runs.baseline):
        return None, None
    old, new = (float(sums.means.mean()) for sums in runs.pass_sums)
    return old, new


def _more_samples(runs: PairedRuns, rule: GateRule, *, drop: float, largest: float) -> int | None:
    """Return how many more samples of each case, in both runs, would probably bring a pass or a fail.

    None where no number of them would: what is missing, at its worst, is a drop of the margin by itself.
    """
    samples = 2 / float(np.mean(1 / runs.baseline.n + 1 / runs.current.n))
    deviation = (largest - drop) / normal_quantile(1 - rule.alpha)
    fails = (deviation * _reach(rule.alpha / 2) / drop) ** 2 if drop > 0 else MOST_TIMES
    times = min(fails, _times_to_pass(runs, rule))
    return None if times >= MOST_TIMES else max(1, ceil(samples * times - samples))


def _times_to_pass(runs: PairedRuns, rule: GateRule) -> float:
    """Return how many times the samples there are would probably bring a pass, up to MOST_TIMES."""
    spare = normal_quantile(POWER) / normal_quantile(1 - rule.alpha)
    judged = [sums for sums in (runs.passes_at_worst, runs.scores_at_worst) if sums is not None]

    def passes(times: float) -> bool:
        for before, after in judged:
            drop = float((before.means - after.means).mean())
            bound = largest_drop(
                before, after, alpha=rule.alpha, times=times, clusters=runs.clusters_at_worst
            )
            if bound + spare * (bound - drop) >= rule.margin:
                return False
        return True

    low, high = 1.0, MOST_TIMES
    if not passes(high):
        return MOST_TIMES
    while high > low * PRECISION:
        middle = sqrt(low * high)
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def _reach(alpha: float) -> float:
    return normal_quantile(1 - alpha) + normal_quantile(POWER)
