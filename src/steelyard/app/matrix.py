"""Compare all subjects of one report with each other."""

from steelyard.analysis import trust
from steelyard.analysis.matrix import matrix_of
from steelyard.app.baseline import PLACE
from steelyard.app.report_source import ReportSource, baseline_report
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.outcome import Integrity


def matrix(
    report: ReportSource, *, baselines: str = PLACE, require_integrity: Integrity | None = None
) -> SubjectMatrix:
    """Compare every subject of a report, a run, an address or a baseline with every other one.

    All pairs are compared over the cases that all subjects have, with one error over all of them.
    `require_integrity` refuses samples with less integrity.
    """
    result = baseline_report(report, baselines)
    trust.require_integrity(result, require_integrity, where="the report")
    return matrix_of(result)
