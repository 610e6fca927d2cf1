"""Show a record in a notebook: the answer and its table, and folded below it the whole page.

The answer is plain markup, which survives wherever a notebook is shown; the page has a frame of its own, so
that neither its style nor its script meets those of the notebook.
"""

from collections.abc import Sequence
from html import escape

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.document.answer import answer
from steelyard.render.document.blocks import Section
from steelyard.render.document.comparison import comparison_page
from steelyard.render.document.gate import gate_page
from steelyard.render.document.subjects import subjects_section
from steelyard.render.html.blocks import folded, sections
from steelyard.render.html.comparison import HtmlComparison
from steelyard.render.html.gate import HtmlGate
from steelyard.render.html.report import HtmlReport

FRAME_HEIGHT = 640
LARGEST_PAGE = 2_000_000  # characters; a larger one would make the notebook heavy


def notebook_html(record: Report | Comparison | GateReport) -> str:
    """Return what a notebook shows of a record."""
    match record:
        case Report():
            told: Sequence[Section] = (Section(lines=(answer(record),)), subjects_section(record))
            return _shown(told, HtmlReport().render(record), "The whole report")
        case Comparison():
            return _shown(
                comparison_page(record).sections[:2], HtmlComparison().render(record), "The whole comparison"
            )
    return _shown(gate_page(record).sections, HtmlGate().render(record), "The whole verdict")


def _shown(told: Sequence[Section], page: str, summary: str) -> str:
    frame = folded(summary, _frame(page)) if len(page) <= LARGEST_PAGE else None
    return tag("div", joined(sections(told), frame), class_="steelyard")


def _frame(page: str) -> Markup:
    # Scripts run, since the table of cases is theirs; without "same origin" they reach nothing outside.
    return Markup(
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="Steelyard" '
        f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 0"></iframe>'
    )
