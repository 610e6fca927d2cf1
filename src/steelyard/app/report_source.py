"""Resolve a report, run, file or baseline name to a report."""

from pathlib import Path

from steelyard.app.baseline import PLACE, find_report
from steelyard.app.report import report_at
from steelyard.app.run_address import RunAddress
from steelyard.model.report import Report

ReportSource = Report | RunAddress


def baseline_report(source: ReportSource, baselines: str = PLACE) -> Report:
    """Resolve a report to compare with; a text may name a baseline."""
    if isinstance(source, str | Path):
        return find_report(source, baselines=baselines)[0]
    return report_of(source)


def report_of(source: ReportSource) -> Report:
    """Return the report itself, that of a run, or the one at an address."""
    return source if isinstance(source, Report) else report_at(source)
