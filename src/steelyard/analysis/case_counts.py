"""Take the counts of cases from a report: samples, and how many of them ended as they should."""

from collections.abc import Sequence

from steelyard.metrics.cases import CaseCounts
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
