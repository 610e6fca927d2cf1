"""Put a report on a page: the answer, the numbers, what was left out, the choices behind it."""

from steelyard.model.report import Report
from steelyard.report.page.answer import answer
from steelyard.report.page.blocks import Page, Section, page_of
from steelyard.report.page.cases import cases_section
from steelyard.report.page.closing import settings_section, warnings_section
from steelyard.report.page.coverage import coverage_section
from steelyard.report.page.flakiness import flakiness_section
from steelyard.report.page.frontier import frontier_section
from steelyard.report.page.intervals import every_k_section
from steelyard.report.page.judges import judges_section
from steelyard.report.page.runs import (
    each_run_section,
    run_spreads_section,
    run_tiers_section,
    runs_section,
)
from steelyard.report.page.spreads import spreads_section
from steelyard.report.page.subjects import failures_section, means_section, subjects_section
from steelyard.report.page.suites import overall_section, suites_section
from steelyard.report.page.tiers import tier_spread_section, uplift_section


def report_page(report: Report) -> Page:
    """Return everything that is said to people about a run."""
    return page_of(
        Section(lines=(answer(report),)),
        subjects_section(report),
        means_section(report),
        coverage_section(report),
        flakiness_section(report),
        warnings_section(report),
        failures_section(report),
        uplift_section(report),
        tier_spread_section(report),
        runs_section(report),
        run_tiers_section(report),
        frontier_section(report),
        judges_section(report),
        suites_section(report),
        overall_section(report),
        every_k_section(report),
        spreads_section(report),
        run_spreads_section(report),
        each_run_section(report),
        cases_section(report),
        settings_section(report),
    )
