"""Compute pass@k over k, from the counts of the cases in a report.

A report holds pass@k for the k that were asked for; a curve takes every k that all cases have samples for.
"""

from collections.abc import Collection, Sequence
from math import fsum

from steelyard.analysis.case_counts import case_clusters
from steelyard.metrics.cases import CaseCounts, pass_at_k_of_cases
from steelyard.metrics.intervals import mean_interval
from steelyard.model.estimate import Estimate
from steelyard.model.options import Missing
from steelyard.model.report import AtK, CaseSummary, Curves, Report, Settings
from steelyard.model.state import SubjectKey

MOST_KS = 12


def pass_at_k_curves(report: Report, subjects: Collection[SubjectKey]) -> Curves:
    """Return the curves of some subjects; none where sampling stopped by a rule, which would bias them."""
    if report.settings.stop_rule is not None:
        return {}
    cases: dict[SubjectKey, list[CaseSummary]] = {subject: [] for subject in subjects}
    for case in report.cases:
        if (key := SubjectKey(case.model, case.tier)) in cases:
            cases[key].append(case)
    return {subject: _curve(own, report.settings) for subject, own in cases.items()}


def _curve(cases: Sequence[CaseSummary], settings: Settings) -> tuple[AtK, ...]:
    kept = [case for case in cases if not case.missing]
    most = min((case.n for case in kept), default=0)
    if not most:
        return ()
    counted = [*kept, *(case for case in cases if case.missing and settings.missing is Missing.FAIL)]
    counts = CaseCounts.of(n=[case.n for case in kept], c=[case.c for case in kept])
    clusters = case_clusters(counted)

    def at(k: int) -> AtK:
        # A missing case that counts as failed is a 0.
        values = [*pass_at_k_of_cases(counts, k=k).tolist(), *[0.0] * (len(counted) - len(kept))]
        interval = mean_interval(values, level=settings.level, clusters=clusters)
        return AtK(k=k, estimate=Estimate.of(fsum(values) / len(values), interval))

    return tuple(map(at, _ks(most, settings.pass_k)))


def _ks(most: int, requested: Sequence[int]) -> list[int]:
    """Return every k, or where there are many, some in equal ratios and those that were asked for."""
    if most <= MOST_KS:
        return list(range(1, most + 1))
    steps = {round(most ** (step / (MOST_KS - 1))) for step in range(MOST_KS)}
    return sorted(steps | {k for k in requested if k <= most})
