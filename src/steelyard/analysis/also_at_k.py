"""Work out the figures for each k that a report holds only if asked for: G-Pass@k and max@k.

Takes counted cases and returns estimates with their intervals for new cases; a stop rule leaves none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import fsum

from steelyard.analysis.case_means import fixed_only
from steelyard.analysis.figures import mean_score
from steelyard.analysis.subjects import SubjectCases
from steelyard.errors import UserError
from steelyard.metrics.best_of import max_at_k
from steelyard.metrics.intervals import mean_interval
from steelyard.metrics.pass_at_k import (
    g_pass_at_k,
    mean_g_pass_at_k,
    mean_mg_pass_at_k,
    mean_pass_at_k,
    mg_pass_at_k,
)
from steelyard.model.estimate import Estimate, Interval
from steelyard.model.options import AlsoAtK, ReportOptions
from steelyard.model.report import AtK, AtKAndTau, SubjectAtK
from steelyard.model.state import CaseKey, Evidence, ScoreCounts
from steelyard.model.units import MICRO_POINTS

TAUS = (Fraction(1, 2), Fraction(3, 4))  # tau = 1 is pass^k
FEWEST = 2  # with k = 1, G-Pass@k is the pass rate, mG-Pass@k nothing, and max@k the score

CaseFigure = Callable[[int, int], float]  # of n and c


def also_at_k(
    lined_up: Sequence[SubjectCases], evidence: Evidence, options: ReportOptions
) -> tuple[SubjectAtK, ...]:
    """Return the figures that were asked for, for each subject."""
    if not options.also_at_k:
        return ()
    ks = [k for k in options.ks if k >= FEWEST]
    if not ks:
        raise UserError(
            f"`also_at_k={','.join(options.also_at_k)}`: needs a k of at least {FEWEST}; "
            f"name one, such as `pass_k=1,4`"
        )
    return tuple(_of_subject(subject, evidence, ks) for subject in lined_up)


def _of_subject(subject: SubjectCases, evidence: Evidence, ks: Sequence[int]) -> SubjectAtK:
    subject_at_ks = subject.options.also_at_k
    subject_at_k = SubjectAtK(model=subject.key.model, tier=subject.key.tier)
    if AlsoAtK.G_PASS in subject_at_ks:
        subject_at_k = replace(
            subject_at_k,
            g_pass_at_k=tuple(
                AtKAndTau(k=k, tau=float(tau), estimate=_g_pass(subject, k, tau)) for k in ks for tau in TAUS
            ),
            mg_pass_at_k=tuple(AtK(k=k, estimate=_mg_pass(subject, k)) for k in ks),
        )
    if AlsoAtK.MAX in subject_at_ks:
        best = tuple(AtK(k=k, estimate=_max(subject, evidence.scores, k)) for k in ks)
        subject_at_k = replace(subject_at_k, max_at_k=best)
    return subject_at_k


def _g_pass(subject: SubjectCases, k: int, tau: Fraction) -> Estimate:
    if subject.options.stop_rule is not None:
        return fixed_only()
    mean = mean_g_pass_at_k(subject.counts, k=k, tau=tau)
    return _with_interval(mean, subject, lambda n, c: g_pass_at_k(n=n, c=c, k=k, tau=tau))


def _mg_pass(subject: SubjectCases, k: int) -> Estimate:
    if subject.options.stop_rule is not None:
        return fixed_only()
    mean = mean_mg_pass_at_k(subject.counts, k=k)
    return _with_interval(mean, subject, lambda n, c: mg_pass_at_k(n=n, c=c, k=k))


def _with_interval(mean: Estimate, subject: SubjectCases, figure: CaseFigure) -> Estimate:
    """Add the interval for new cases; many cases have the same counts."""
    if mean.value is None:
        return mean
    of_case = cache(figure)
    values = [of_case(n, c) for n, c in subject.counts]
    return replace(mean, intervals=(_interval(values, subject),))


def _max(subject: SubjectCases, scores: Mapping[CaseKey, ScoreCounts], k: int) -> Estimate:
    """Return the mean of max@k over cases, where every case has k scored samples or counts as failed."""
    if subject.options.stop_rule is not None:
        return fixed_only()
    for needed in (mean_score(subject.counted), mean_pass_at_k(subject.counts, k=k)):
        if needed.value is None:
            return replace(needed, intervals=())
    of_case = cache(lambda result: float(max_at_k(result, k=k) / MICRO_POINTS))
    values = [
        0.0 if case_state.is_missing else of_case(scores[case_state.key]) for case_state in subject.counted
    ]
    return Estimate.of(fsum(values) / len(values), _interval(values, subject))


def _interval(values: Sequence[float], subject: SubjectCases) -> Interval:
    clusters = subject.clusters(subject.counted)
    return mean_interval(values, level=subject.options.level, clusters=clusters)
