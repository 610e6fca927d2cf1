"""Render results as GitHub Markdown that fits into a pull request comment.

Long lists are folded, then truncated with a count. The text comes from `document/`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.sample import SampleExcerpt
from steelyard.ports import Renderable
from steelyard.render.document.blocks import (
    CodeSpan,
    Name,
    Piece,
    Prose,
    Section,
    TableColumn,
    TextLine,
    Tone,
)
from steelyard.render.document.compose import document_of
from steelyard.render.kinds import EVERY_KIND
from steelyard.render.markdown.escape import code, escaped
from steelyard.render.words import counted

COMMENT_LENGTH = 65_000  # GitHub allows 65,536 characters
ITEMS_SHOWN = 200
STRONG_TONES = {Tone.ANSWER, Tone.GOOD, Tone.BAD, Tone.OPEN}


class MarkdownRenderer:
    """Any result as Markdown."""

    kinds = EVERY_KIND
    is_text = True
    shows_samples = False

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        del samples  # answers do not fit into a comment
        return _fitting(document_of(result).shown_in("markdown"))


def comment(gate: GateReport, comparison: Comparison) -> str:
    """Return a verdict with the comparison folded below it."""
    verdict, compared = (document_of(result).shown_in("markdown") for result in (gate, comparison))
    folded = (
        replace(section, title=section.title or "Comparison", is_detail=True)
        for section in _with_titles(compared)
    )
    return _fitting((*verdict, *folded))


def _with_titles(sections: Sequence[Section]) -> Iterator[Section]:
    """Yield one section of all untitled sentences, then the titled sections."""
    loose = [line for section in sections if not section.title for line in section.lines]
    yield Section(lines=tuple(loose))
    yield from (section for section in sections if section.title)


def _fitting(sections: Sequence[Section]) -> str:
    """Return the sections with as many list items as fit into a comment."""
    items = ITEMS_SHOWN
    text = _markdown(sections, items)
    while len(text) >= COMMENT_LENGTH and items:
        items //= 2
        text = _markdown(sections, items)
    return text


def _markdown(sections: Sequence[Section], items: int) -> str:
    return "\n\n".join("\n\n".join(_blocks(section, items)) for section in sections) + "\n"


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


def _sentences(lines: Sequence[TextLine]) -> str:
    if len(lines) == 1:
        return _sentence(lines[0])
    return "\n".join(f"- {_sentence(line)}" for line in lines)


def _sentence(line: TextLine) -> str:
    text = "".join(_shown(piece) for piece in line.pieces)
    return f"**{text}**" if line.tone in STRONG_TONES else text


def _table(columns: Sequence[TableColumn], items: int) -> str:
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
        case CodeSpan(text):
            return f"`{text}`"
    return piece
