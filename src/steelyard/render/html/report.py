"""Show a report as a page for a browser: the answer, the pictures, the numbers, then every case.

What is said is decided in `page/`, what is drawn in `charts/`.
"""

from collections.abc import Sequence

from steelyard.model.excerpt import SampleExcerpt
from steelyard.model.report import Report
from steelyard.render.charts.curves import curves
from steelyard.render.charts.front import front
from steelyard.render.charts.heat import heat_map
from steelyard.render.charts.latency import latency
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.ranking import ranking
from steelyard.render.charts.stacks import failure_kinds, flaky_cases, steadiness
from steelyard.render.charts.uplift import uplift
from steelyard.render.document.answer import answer
from steelyard.render.document.blocks import Section
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
from steelyard.render.html.blocks import folded, pieces, sections, sentence
from steelyard.render.html.case_table import case_table
from steelyard.render.html.document import document, figures, navigation, parts_of
from steelyard.render.html.payload import payload
from steelyard.render.numbers import count, usd
from steelyard.render.words import counted


class HtmlReport:
    """A report as a page."""

    def render(self, report: Report) -> str:
        """Return the whole text, ending in a newline."""
        return self.render_with_samples(report, ())

    def render_with_samples(self, report: Report, samples: Sequence[SampleExcerpt]) -> str:
        """Return the whole text, ending in a newline; the cases open to their samples."""
        packed = payload(report, samples)
        parts = parts_of(*_parts(report), ("cases", "Cases", (case_table(report, packed),)))
        return document(
            "Steelyard report",
            navigation(parts),
            tag("header", _opening(report)),
            tag("main", (part.markup for part in parts), id="content"),
            tag("footer", sections([settings_section(report)])),
            packed.blocks,
        )


def _opening(report: Report) -> Markup:
    warnings = warnings_section(report)
    told = [sentence(line, kind="li") for line in warnings.lines]
    return joined(
        tag("p", "Steelyard report", class_="over"),
        tag("h1", pieces(answer(report).pieces)),
        figures(_figures(report)),
        folded(counted(len(report.warnings), "warning"), tag("ul", told, class_="warnings"))
        if told
        else None,
    )


def _figures(report: Report) -> list[tuple[str, str]]:
    costs = [subject.total_cost_usd.value for subject in report.subjects]
    known = [cost for cost in costs if cost is not None]
    cases = {(case.suite, case.case) for case in report.cases}
    numbers = [
        ("models", len({subject.model for subject in report.subjects})),
        ("tiers", len({subject.tier for subject in report.subjects})),
        ("suites", len({suite.suite for suite in report.suites})),
        ("cases", len(cases)),
        ("samples", sum(subject.samples for subject in report.subjects)),
    ]
    shown = [(name, count(number)) for name, number in numbers if number != 1 or name in {"cases", "samples"}]
    spent = [("spent", usd(sum(known)))] if known and len(known) == len(costs) else []
    return [*shown, *spent]


def _parts(report: Report) -> tuple[tuple[str, str, tuple[Content, ...]], ...]:
    return (
        ("ranking", "Ranking", _shown(ranking(report), subjects_section(report))),
        ("pass-at-k", "pass@k", _shown(curves(report), every_k_section(report))),
        (
            "cost",
            "Cost and quality",
            (*_shown(front(report), means_section(report)), _said(frontier_section(report))),
        ),
        ("suites", "Suites", _shown(heat_map(report), suites_section(report), overall_section(report))),
        ("tiers", "Tiers", _shown(uplift(report), *_tiers(report))),
        ("runs", "Runs", (_said(*_runs(report)),)),
        ("judges", "Judges", (_said(judges_section(report)),)),
        ("failures", "How samples failed", _shown(failure_kinds(report), failures_section(report))),
        ("steadiness", "Steadiness", _steadiness(report)),
        ("latency", "Latency", (latency(report),)),
        ("coverage", "Coverage", (_said(coverage_section(report)),)),
    )


def _steadiness(report: Report) -> tuple[Content, ...]:
    return (steadiness(report), flaky_cases(report), _said(flakiness_section(report)))


def _tiers(report: Report) -> tuple[Section, ...]:
    return uplift_section(report), tier_spread_section(report), spreads_section(report)


def _runs(report: Report) -> tuple[Section, ...]:
    return (
        runs_section(report),
        run_tiers_section(report),
        run_spreads_section(report),
        each_run_section(report),
    )


def _said(*found: Section) -> Markup | None:
    return sections(found)


def _shown(picture: Markup | None, *numbers: Section) -> tuple[Content, ...]:
    """Return a picture with its numbers folded below; where there is nothing to draw, the numbers alone."""
    told = _said(*numbers)
    return (picture, folded("Numbers", told)) if picture else (told,)
