"""Show a result in a notebook: a summary and, folded below it, the whole page.

The summary is plain markup, which every notebook viewer shows; the page is in an iframe, isolated from the
styles and scripts of the notebook.
"""

from html import escape

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.report import Report
from steelyard.ports import Renderable
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.document.compose import document_of
from steelyard.render.html.blocks import folded, sections
from steelyard.render.kinds import NOUNS

FRAME_HEIGHT = 640
LARGEST_PAGE = 2_000_000  # characters; larger pages would bloat the notebook
SUMMARIES = {
    Report: ("answer", "subjects"),
    Comparison: ("answers", "threshold"),
    SubjectMatrix: ("answer", "pairs"),
    History: ("answer", "settings"),
    GateReport: ("verdict", "reasons", "surroundings", "resample", "settings"),
}


def shown_in_notebook(result: Renderable, *, page: str) -> str:
    """Return the notebook markup of a result and its page."""
    summary = sections(document_of(result).pick(*SUMMARIES[type(result)]))
    whole = folded(f"The whole {NOUNS[type(result)]}", _frame(page)) if len(page) <= LARGEST_PAGE else None
    return tag("div", joined(summary, whole), class_="steelyard")


def _frame(page: str) -> Markup:
    # Scripts fill the table of cases; without allow-same-origin they cannot reach the notebook.
    return Markup(
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="Steelyard" '
        f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 0"></iframe>'
    )
