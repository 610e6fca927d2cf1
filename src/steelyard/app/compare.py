"""Compare two reports case by case, or all subjects of one report with each other."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.compare import compare_reports
from steelyard.analysis.matrix import matrix_of
from steelyard.analysis.one_subject import one_subject
from steelyard.app.baseline import NO_NAMES, PLACE, ReportSource, baseline_report, run_at, two_reports
from steelyard.app.gate import require_both
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import Comparison
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.outcome import Integrity
from steelyard.model.report import Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.units import Number
from steelyard.store.run.excerpts import excerpts_of_run


def compare(  # noqa: PLR0913  # which reports and subjects, and what is asked of them: most are optional
    baseline: ReportSource,
    current: ReportSource,
    *,
    subjects: tuple[str, str] | None = None,
    models: Mapping[str, str] = NO_NAMES,
    threshold: Number = DEFAULT_THRESHOLD,
    baselines: str = PLACE,
    require_integrity: Integrity | None = None,
) -> Comparison:
    """Compare a report with a baseline, case by case.

    Args:
        baseline: A report, a run, an address, or the name of a kept baseline.
        current: A report, a run or an address; may be the baseline itself.
        subjects: One subject of each report to compare: `MODEL`, `TIER` or `MODEL@TIER`.
        models: Other names for models of either report.
        threshold: The largest score drop of a case that is no regression.
        baselines: Folder or address of the kept baselines.
        require_integrity: Reject reports with samples of lower integrity.

    Raises:
        UserError: The reports cannot be compared, or lack the required integrity.
    """
    before, after = two_reports(baseline, current, baselines=baselines, models=models)
    if subjects is not None:
        before = one_subject(before, subjects[0], where="the baseline")
        after = one_subject(after, subjects[1], where="the current report")
    require_both(before, after, require_integrity)
    return compare_reports(before, after, threshold=threshold)


def matrix(
    report: ReportSource, *, baselines: str = PLACE, require_integrity: Integrity | None = None
) -> SubjectMatrix:
    """Compare all subjects of a report pairwise, over the cases that all of them have.

    Args:
        report: A report, a run, an address, or the name of a kept baseline.
        baselines: Folder or address of the kept baselines.
        require_integrity: Reject reports with samples of lower integrity.
    """
    resolved = baseline_report(report, baselines)
    trust.require_integrity(resolved, require_integrity, where="the report")
    return matrix_of(resolved)


def compared_samples(
    baseline: ReportSource, current: ReportSource, comparison: Comparison, *, baselines: str = PLACE
) -> tuple[SampleExcerpt, ...]:
    """Return samples of the cases that changed, of both sides; none unless both are runs that are there."""
    before, after = _run_of(baseline, baselines), _run_of(current, baselines)
    if before is None or after is None:
        return ()
    changed = {(change.suite, change.case) for change in (*comparison.regressions, *comparison.improvements)}

    def of_changed(address: str) -> Iterator[SampleExcerpt]:
        return (
            excerpt
            for excerpt in excerpts_of_run(address)
            if (excerpt.key.suite, excerpt.key.case) in changed
        )

    old = (replace(excerpt, of_baseline=True) for excerpt in of_changed(before))
    return (*old, *of_changed(after))


def _run_of(source: ReportSource, baselines: str) -> str | None:
    if isinstance(source, Report):
        return None
    return run_at(source, baselines=baselines) if isinstance(source, str | Path) else source.address
