"""Render any result as an HTML page: headline, figures, numbers, then every case.

Text comes from `document/`, figures from `charts/`, the arrangement from `parts.py`.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.report import Curves, Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import SubjectKey
from steelyard.ports import Renderable
from steelyard.render.charts.carried import carried_by
from steelyard.render.charts.curves import MOST_CURVES
from steelyard.render.charts.markup import Content, Markup, tag
from steelyard.render.charts.names import NO_LINKS, PageLinks, headline
from steelyard.render.charts.subjects import ranked_subjects
from steelyard.render.document.blocks import Document, Section, TextLine
from steelyard.render.document.comparison import comparison_document
from steelyard.render.document.gate import gate_document
from steelyard.render.document.history import history_document
from steelyard.render.document.matrix import matrix_document
from steelyard.render.document.report import report_document
from steelyard.render.html.blocks import folded, large_numbers, sections, sentence
from steelyard.render.html.case_table import case_table
from steelyard.render.html.flipped import flipped_parts
from steelyard.render.html.page import page
from steelyard.render.html.parts import (
    COMPARISON_PARTS,
    FLIPPED_PARTS,
    GATE_PARTS,
    MATRIX_PARTS,
    REPORT_PARTS,
    PagePart,
    history_plans,
    navigation,
    parts_of,
)
from steelyard.render.html.payload import payload
from steelyard.render.kinds import EVERY_KIND
from steelyard.render.words import counted

CurvesOf = Callable[[Report, Collection[SubjectKey]], Curves]


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlRenderer:
    """Any result as a page; the cases of a report open to their samples.

    `curves` computes pass@k over all k for some subjects: a report has only a few k, and renderers do not
    compute.
    """

    kinds = EVERY_KIND
    is_text = True
    shows_samples = True

    curves: CurvesOf
    links: PageLinks = NO_LINKS  # other pages about the same runs

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        match result:
            case Report():
                plotted = [ranked.key for ranked in ranked_subjects(result)[:MOST_CURVES]]
                return _report_page(result, samples, self.curves(result, plotted), self.links)
            case Comparison():
                return _comparison_page(result, samples, self.links)
            case SubjectMatrix():
                return _matrix_page(matrix_document(result))
            case History():
                return _history_page(result, history_document(result))
        return _gate_page(result, self.links)


def _report_page(report: Report, samples: Sequence[SampleExcerpt], curves: Curves, links: PageLinks) -> str:
    document, packed = report_document(report, curves=curves), payload(report, samples)
    parts = parts_of(document, REPORT_PARTS)
    if table := case_table(report, packed):
        after = bool(parts) and parts[0].id == REPORT_PARTS[0].id
        parts.insert(int(after), PagePart(id="cases", title="Cases", content=table))
    answer, totals, warnings = document.pick("answer", "totals", "warnings")
    opening = (
        tag("h1", headline(answer.lines[0].pieces)),
        _list(answer.lines[1:], "answers"),
        large_numbers(totals),
        folded(counted(len(report.warnings), "warning"), _list(warnings.lines, "warnings")),
    )
    return _page("Steelyard report", opening, parts, document.pick("settings"), packed.blocks, links=links)


def _comparison_page(comparison: Comparison, samples: Sequence[SampleExcerpt], links: PageLinks) -> str:
    document = comparison_document(comparison)
    answers, totals, threshold = document.pick("answers", "totals", "threshold")
    first, *others = answers.lines
    opening = (_verdict(first), _list(others, "answers"), large_numbers(totals), sections([threshold]))
    rest = [plan for plan in COMPARISON_PARTS if plan not in FLIPPED_PARTS]
    parts = [*flipped_parts(comparison, samples, links), *parts_of(document, rest)]
    return _page("Steelyard comparison", opening, parts, document.pick("compared"), links=links)


def _gate_page(gate: GateReport, links: PageLinks) -> str:
    document = gate_document(gate)
    opening = _verdict(document.sections["verdict"].lines[0])
    parts = [
        replace(part, content=carried_by(gate, links)) if part.id == "carried" else part
        for part in parts_of(document, GATE_PARTS)
    ]
    return _page("Steelyard gate", opening, parts, document.pick("settings"), links=links)


def _matrix_page(document: Document) -> str:
    first, *others = document.sections["answer"].lines
    opening = (_verdict(first), _list(others, "answers"))
    return _page("Steelyard matrix", opening, parts_of(document, MATRIX_PARTS), document.pick("settings"))


def _history_page(history: History, document: Document) -> str:
    first, *others = document.sections["answer"].lines
    opening = (_verdict(first), _list(others, "answers"))
    parts = parts_of(document, history_plans(history))
    return _page("Steelyard history", opening, parts, document.pick("settings"))


def _page(  # noqa: PLR0913  # the parts of a page
    title: str,
    opening: Content,
    parts: Sequence[PagePart],
    footer: Sequence[Section],
    data: Content = None,
    *,
    links: PageLinks = NO_LINKS,
) -> str:
    return page(
        title,
        navigation(parts, links),
        tag("header", tag("p", title, class_="over"), opening),
        tag("main", (part.markup for part in parts), id="content"),
        tag("footer", sections(footer)),
        data,
    )


def _verdict(line: TextLine) -> Markup:
    return tag("h1", headline(line.pieces), class_=f"verdict tone-{line.tone}")


def _list(lines: Sequence[TextLine], kind: str) -> Markup | None:
    return tag("ul", (sentence(line, kind="li") for line in lines), class_=kind) if lines else None
