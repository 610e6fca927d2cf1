"""Take the counts of cases from a report: samples, and how many of them ended as they should."""

from collections.abc import Sequence

from steelyard.metrics.cases import CaseCounts, Ints
from steelyard.metrics.clusters import cluster_numbers
from steelyard.model.report import CaseSummary

NOWHERE: frozenset[tuple[str, str]] = frozenset()


def case_counts(
    cases: Sequence[CaseSummary], *, refusing: frozenset[tuple[str, str]] = NOWHERE
) -> CaseCounts:
    """Return samples and passes, row by row; in the cases named by `refusing`, refusals are the passes."""
    return CaseCounts.of(n=[case.n for case in cases], c=[case.right(refusing) for case in cases])


def independent_counts(cases: Sequence[CaseSummary]) -> CaseCounts:
    """Return samples and passes, row by row, with answers that repeat counted once."""
    return CaseCounts.of(
        n=[case.n - case.repeats for case in cases], c=[case.c - case.repeats_passed for case in cases]
    )


def case_clusters(cases: Sequence[CaseSummary]) -> Ints | None:
    """Return the number of each case's cluster; None where every case is alone."""
    if not any(case.cluster for case in cases):
        return None
    return cluster_numbers([case.cluster or (case.suite, case.case) for case in cases])
