"""Hold what a gate judges, and give the parts that every form of gate is made of.

Which tests fail a gate differs from form to form; what it takes to pass does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.differences import rerun_deviation, rerun_difference
from steelyard.metrics.multiplicity import TIE, fisher_tests, standing_out
from steelyard.metrics.plausible import largest_drop
from steelyard.metrics.quantiles import normal_quantile
from steelyard.model.verdict import GateDecision, GateEvidence, GateRule, Ground, Verdict

POWER = 0.8  # the chance of seeing a drop that "would have been seen" stands for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedRuns:
    """Two runs of the same cases, row by row, and the larger share of their samples that are missing."""

    baseline: CaseCounts
    current: CaseCounts
    error_share: float = 0.0


def refusal(runs: PairedRuns, rule: GateRule) -> GateDecision | None:
    """Return a decision not to decide, when the evidence is not there."""
    cases, share = len(runs.baseline), runs.error_share
    if not 0 <= share <= 1:
        raise DomainError(f"a share is between 0 and 1, got an error share of {share}")
    if share > rule.max_error_share:
        ground = Ground.TOO_MANY_ERRORS
    elif cases == 0:
        ground = Ground.NO_SHARED_CASES
    else:
        return None
    evidence = GateEvidence(cases=cases, error_share=share)
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=evidence)


def evidence_of(runs: PairedRuns, rule: GateRule, *, alpha: float, bound_alpha: float) -> GateEvidence:
    """Return how far the mean dropped, how far it may have dropped, and what could have been seen.

    `alpha` is what the test for a drop may spend, `bound_alpha` what the bound on the drop may.
    """
    before, after = runs.baseline.sums, runs.current.sums
    drop = rerun_difference(after, before).value
    largest = largest_drop(before, after, alpha=bound_alpha)
    return GateEvidence(
        cases=len(before),
        error_share=runs.error_share,
        drop=drop,
        largest_plausible_drop=largest,
        detectable_drop=min(1.0, _reach(alpha) * rerun_deviation(before, after)),
        standing_out=standing_out(fisher_tests(runs.baseline, runs.current)),
        more_samples=_more_samples(runs, drop, largest, rule),
    )


def settled(evidence: GateEvidence, rule: GateRule, *, grounds: Sequence[Ground]) -> GateDecision:
    """Fail on these grounds; without any, pass where a drop of the margin is ruled out, and only there."""
    if grounds:
        decided = replace(evidence, more_samples=None)
        return GateDecision(verdict=Verdict.FAIL, grounds=tuple(grounds), evidence=decided)
    return passed_or_open(evidence, is_within=is_within_margin(evidence, rule))


def passed_or_open(evidence: GateEvidence, *, is_within: bool) -> GateDecision:
    """Pass where a drop of the margin is ruled out, unless single cases dropped beyond noise."""
    decided = replace(evidence, more_samples=None)
    if is_within and not evidence.standing_out:
        return GateDecision(verdict=Verdict.PASS, grounds=(Ground.WITHIN_MARGIN,), evidence=decided)
    ground, found = (Ground.CASES_STAND_OUT, decided) if is_within else (Ground.TOO_FEW_SAMPLES, evidence)
    return GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(ground,), evidence=found)


def is_within_margin(evidence: GateEvidence, rule: GateRule) -> bool:
    """Whether a drop as large as the margin is ruled out."""
    return evidence.largest_plausible_drop is not None and evidence.largest_plausible_drop < rule.margin


def grounds_to_fail(p_overall: float, broken: Sequence[int], *, alpha: float) -> tuple[Ground, ...]:
    """Return why two tests at `alpha` each fail a gate, if they do."""
    overall = (Ground.OVERALL_DROP,) if p_overall <= alpha * TIE else ()
    return (*overall, Ground.BROKEN_CASES) if broken else overall


def _more_samples(runs: PairedRuns, drop: float, largest: float, rule: GateRule) -> int:
    """Return how many more samples of each case, in both runs, would probably bring a pass or a fail."""
    samples = 2 / float(np.mean(1 / runs.baseline.n + 1 / runs.current.n))
    deviation = (largest - drop) / normal_quantile(1 - rule.alpha)
    # The standard error at which a true drop of this size would probably pass, or else fail.
    deciding = max((rule.margin - drop) / _reach(rule.alpha), drop / _reach(rule.alpha / 2))
    return max(1, ceil(samples * (deviation / deciding) ** 2 - samples))


def _reach(alpha: float) -> float:
    return normal_quantile(1 - alpha) + normal_quantile(POWER)
