"""Compare two reports case by case: of runs, of files, or kept as a baseline."""

from steelyard.analysis.compare import compare_reports
from steelyard.analysis.one_subject import one_subject
from steelyard.app.baseline import PLACE
from steelyard.app.gate import require_both
from steelyard.app.run_handle import ReportSource, baseline_report, report_of
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import Comparison
from steelyard.model.outcome import Isolation
from steelyard.model.units import Number


def compare(  # noqa: PLR0913  # which reports and subjects, and what is asked of them: most are optional
    baseline: ReportSource,
    current: ReportSource,
    *,
    subjects: tuple[str, str] | None = None,
    threshold: Number = DEFAULT_THRESHOLD,
    baselines: str = PLACE,
    require_isolation: Isolation | None = None,
) -> Comparison:
    """Compare a report with a baseline.

    Each is a report, a run or an address; the baseline may also be the name of one that is kept. With
    `subjects`, one of the baseline stands beside one of the current report, paired by case; both reports may
    be the same. A subject is `MODEL`, or `MODEL@TIER` where the report has several tiers of it.
    `require_isolation` refuses samples of either that were graded with less isolation.
    """
    before, after = baseline_report(baseline, baselines), report_of(current)
    if subjects is not None:
        before = one_subject(before, subjects[0], where="the baseline")
        after = one_subject(after, subjects[1], where="the current report")
    require_both(before, after, require_isolation)
    return compare_reports(before, after, threshold=threshold)
