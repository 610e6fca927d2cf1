"""Compare two reports case by case: of runs, of files, or kept as a baseline."""

from steelyard.analysis.compare import compare_reports
from steelyard.app.baseline import PLACE
from steelyard.app.run_handle import ReportSource, baseline_report, report_of
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import Comparison
from steelyard.model.units import Number


def compare(
    baseline: ReportSource,
    current: ReportSource,
    *,
    threshold: Number = DEFAULT_THRESHOLD,
    baselines: str = PLACE,
) -> Comparison:
    """Compare a report with a baseline.

    Each is a report, a run or an address; the baseline may also be the name of one that is kept.
    """
    return compare_reports(baseline_report(baseline, baselines), report_of(current), threshold=threshold)
