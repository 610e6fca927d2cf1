"""Put a report on a page: the answer, the numbers, what was left out, the choices behind it."""

from steelyard.model.report import Report
from steelyard.render.document.answer import answer
from steelyard.render.document.blocks import Page, Section, page_of
from steelyard.render.document.cases import cases_section
from steelyard.render.document.coverage import coverage_section
from steelyard.render.document.flakiness import flakiness_section
from steelyard.render.document.frontier import frontier_section
from steelyard.render.document.intervals import every_k_section
from steelyard.render.document.judges import judges_section
from steelyard.render.document.runs import (
    each_run_section,
    run_spreads_section,
    run_tiers_section,
    runs_section,
)
from steelyard.render.document.settings import settings_section, warnings_section
from steelyard.render.document.spreads import spreads_section
from steelyard.render.document.subjects import failures_section, means_section, subjects_section
from steelyard.render.document.suites import overall_section, suites_section
from steelyard.render.document.tiers import tier_spread_section, uplift_section


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
