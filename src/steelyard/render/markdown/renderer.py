"""Show reports, comparisons and verdicts as GitHub Markdown that fits into a comment on a pull request.

Long lists are folded, then capped with a count. What is said is decided in `page/`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.render.document.blocks import Code, Column, Line, Name, Page, Piece, Prose, Section, Tone
from steelyard.render.document.comparison import comparison_page
from steelyard.render.document.gate import gate_page
from steelyard.render.document.report import report_page
from steelyard.render.markdown.escape import code, escaped
from steelyard.render.words import counted

COMMENT_LENGTH = 65_000  # GitHub refuses a comment of more than 65,536 characters
ITEMS_SHOWN = 200
STRONG_TONES = {Tone.ANSWER, Tone.GOOD, Tone.BAD, Tone.OPEN}


class MarkdownReport:
    """A report as Markdown."""

    def render(self, report: Report) -> str:
        """Return the whole text, ending in a newline."""
        return _fitting(report_page(report))


class MarkdownComparison:
    """A comparison as Markdown."""

    def render(self, comparison: Comparison) -> str:
        """Return the whole text, ending in a newline."""
        return _fitting(comparison_page(comparison, has_chart=True))


class MarkdownGate:
    """A verdict as Markdown."""

    def render(self, gate: GateReport) -> str:
        """Return the whole text, ending in a newline."""
        return _fitting(gate_page(gate))


def comment(gate: GateReport, comparison: Comparison) -> str:
    """Return a verdict with the comparison folded below it, in one comment."""
    told = comparison_page(comparison, has_chart=True).sections
    folded = (replace(one, title=one.title or "Comparison", is_detail=True) for one in _gathered(told))
    return _fitting(Page(sections=(*gate_page(gate).sections, *folded)))


def _gathered(sections: Sequence[Section]) -> Iterator[Section]:
    """Give the sections that have a title; before them, in one, the sentences that have none."""
    loose = [one for section in sections if not section.title for one in section.lines]
    yield Section(lines=tuple(loose))
    yield from (section for section in sections if section.title)


def _fitting(page: Page) -> str:
    """Return the page with as many items in each list as fit into a comment."""
    items = ITEMS_SHOWN
    text = _markdown(page, items)
    while len(text) >= COMMENT_LENGTH and items:
        items //= 2
        text = _markdown(page, items)
    return text


def _markdown(page: Page, items: int) -> str:
    return "\n\n".join("\n\n".join(_blocks(section, items)) for section in page.sections) + "\n"


def _blocks(section: Section, items: int) -> Iterator[str]:
    if section.is_detail:
        yield f"<details>\n<summary>{section.title}</summary>"
    elif section.title:
        yield f"### {section.title}"
    if section.columns:
        yield _table(section.columns, items)
        yield from _left_out(len(section.rows) - items, "row")
    if section.lines:
        yield _sentences(section.lines[:items] or section.lines[:1])
        yield from _left_out(len(section.lines) - max(items, 1), "line")
    if section.is_detail:
        yield "</details>"


def _left_out(number: int, noun: str) -> Iterator[str]:
    if number > 0:
        yield f"and {counted(number, f'more {noun}')}; `--format json` has everything"


def _sentences(lines: Sequence[Line]) -> str:
    if len(lines) == 1:
        return _sentence(lines[0])
    return "\n".join(f"- {_sentence(line)}" for line in lines)


def _sentence(line: Line) -> str:
    text = "".join(_shown(piece) for piece in line.pieces)
    return f"**{text}**" if line.tone in STRONG_TONES else text


def _table(columns: Sequence[Column], items: int) -> str:
    rows = [
        [column.title for column in columns],
        ["---:" if column.is_number else "---" for column in columns],
        *zip(*([_shown(cell) for cell in column.cells[:items]] for column in columns), strict=True),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _shown(piece: Piece) -> str:
    match piece:
        case Name(text):
            return code(text)
        case Prose(text):
            return escaped(text)
        case Code(text):
            return f"`{text}`"
    return piece
