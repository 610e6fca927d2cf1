"""Detect samples of a case that are not independent within a run, such as those of a cache or one seed.

Answers that repeat are seen by their digests and counted once before any test. Here only counts are known.
"""

from dataclasses import replace

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.drop_test import joint_drop_test
from steelyard.model.verdict import GateDecision, Ground, Verdict

LEVEL = 0.05  # of the test in the other direction, whatever alpha is


def rises_as_well(baseline: CaseCounts, current: CaseCounts) -> bool:
    """Whether a case rose altogether, beyond what independent samples explain.

    Beside a drop this shows that the samples of a case agree more than independent ones would: some cases
    fall altogether, and others rise altogether. Cases that rise a little show nothing. Range and source: the
    part `sparse` of `joint_drop_test` with the runs exchanged, at a level of 0.05.

    >>> before, after = CaseCounts.of(n=5, c=[5, 5, 0, 0, 3]), CaseCounts.of(n=5, c=[0, 0, 5, 5, 3])
    >>> rises_as_well(before, after)
    True
    """
    return joint_drop_test(current, baseline, alpha=LEVEL).sparse <= LEVEL


def are_dependent(baseline: CaseCounts, current: CaseCounts) -> bool:
    """Whether cases both fell and rose altogether. Range and source as `rises_as_well`.

    >>> before, after = CaseCounts.of(n=5, c=[5, 5, 5, 3]), CaseCounts.of(n=5, c=[0, 0, 0, 3])
    >>> are_dependent(before, after)
    False
    """
    return rises_as_well(baseline, current) and rises_as_well(current, baseline)


def unless_dependent(decision: GateDecision, *runs: tuple[CaseCounts, CaseCounts]) -> GateDecision:
    """Take a fail back where one of these pairs of runs rises as well: nothing is decided then.

    >>> from steelyard.model.verdict import GateEvidence
    >>> fail = GateDecision(verdict=Verdict.FAIL, grounds=(), evidence=GateEvidence(cases=1, error_share=0))
    >>> one = CaseCounts.of(n=1, c=[1])
    >>> unless_dependent(fail, (one, one)).verdict
    <Verdict.FAIL: 'fail'>
    """
    if decision.verdict is not Verdict.FAIL or not any(rises_as_well(*pair) for pair in runs):
        return decision
    grounds = (Ground.DEPENDENT_SAMPLES,)
    evidence = replace(decision.evidence, broken_cases=())
    return replace(decision, verdict=Verdict.INCONCLUSIVE, grounds=grounds, evidence=evidence)
