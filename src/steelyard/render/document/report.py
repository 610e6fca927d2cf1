"""Compose the document of a report.

All sections are defined here; formats select them by name and lay them out.
"""

from steelyard.model.report import Curves, Report
from steelyard.render.document.also_at_k import also_at_k_section
from steelyard.render.document.answer import opening
from steelyard.render.document.benchmark import benchmark_section
from steelyard.render.document.blocks import Document, FigureKind, Section, pictured
from steelyard.render.document.cases import cases_section
from steelyard.render.document.coverage import coverage_section
from steelyard.render.document.intervals import every_k_section
from steelyard.render.document.judges import judges_section
from steelyard.render.document.runs import (
    each_run_section,
    run_tiers_section,
    runs_section,
)
from steelyard.render.document.samples import failures_section, flakiness_section
from steelyard.render.document.settings import settings_section, warnings_section
from steelyard.render.document.spreads import run_spreads_section, spreads_section
from steelyard.render.document.subjects import frontier_section, means_section, subjects_section
from steelyard.render.document.suites import overall_section, suites_section
from steelyard.render.document.tiers import tier_spread_section, uplift_section
from steelyard.render.document.totals import report_totals
from steelyard.render.document.trust import honeypots_section, integrity_section

NO_CURVES: Curves = {}  # for formats without figures


def report_document(report: Report, *, curves: Curves = NO_CURVES) -> Document:
    """Return the document of a report."""
    sections = {
        "answer": Section(lines=opening(report)),
        "benchmark": benchmark_section(report),
        "totals": report_totals(report),
        "subjects": pictured(subjects_section(report), FigureKind.RANKING, report),
        "means": pictured(means_section(report), FigureKind.COST, report),
        "coverage": coverage_section(report),
        "integrity": integrity_section(report),
        "honeypots": honeypots_section(report),
        "flakiness": pictured(flakiness_section(report), FigureKind.STEADINESS, report),
        "warnings": warnings_section(report),
        "failures": pictured(failures_section(report), FigureKind.FAILURES, report),
        "uplift": pictured(uplift_section(report), FigureKind.UPLIFT, report),
        "tier-spread": tier_spread_section(report),
        "runs": runs_section(report),
        "run-tiers": run_tiers_section(report),
        "frontier": frontier_section(report),
        "judges": judges_section(report),
        "suites": pictured(suites_section(report), FigureKind.SUITES, report),
        "overall": overall_section(report),
        "every-k": pictured(every_k_section(report), FigureKind.PASS_AT_K, (report, curves)),
        "also-at-k": also_at_k_section(report),
        "spreads": spreads_section(report),
        "run-spreads": run_spreads_section(report),
        "each-run": each_run_section(report),
        "latency": pictured(Section(), FigureKind.LATENCY, report),
        "cases": cases_section(report),
        "settings": settings_section(report),
    }
    return Document(sections=sections)
