"""Render results as text: for a terminal, or plain for a pipe.

Plain text has no colours, no line wrapping and no truncation. The text comes from `document/`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import takewhile

from rich.box import SIMPLE_HEAD, Box
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
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
from steelyard.render.document.comparison import SHORT, comparison_document
from steelyard.render.document.compose import document_of
from steelyard.render.document.gate import gate_document
from steelyard.render.document.summary import summary_sections
from steelyard.render.kinds import EVERY_KIND
from steelyard.render.names import visible

UNBOUNDED = 2**31
GAP = 2  # spaces between two columns
LEAST_NAME = 12  # columns; names are not wrapped further
DASHES_UNDER_THE_HEAD = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)

STYLES: Mapping[Tone, str] = {
    Tone.PLAIN: "",
    Tone.ANSWER: "bold",
    Tone.GOOD: "bold green",
    Tone.BAD: "bold red",
    Tone.OPEN: "bold yellow",
    Tone.WARNING: "yellow",
    Tone.QUIET: "dim",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRenderer:
    """Any result as text; `color` and `width`, at which lines wrap, are for terminals."""

    kinds = EVERY_KIND
    is_text = True
    shows_samples = False

    color: bool = False
    width: int | None = None
    details: bool = True  # False: the short form of a report, comparison or verdict

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        del samples  # text has numbers, not answers
        return _text(self._sections(result), color=self.color, width=self.width or UNBOUNDED)

    def _sections(self, result: Renderable) -> Sequence[Section]:
        if isinstance(result, Report) and not self.details:
            return summary_sections(result)
        if isinstance(result, Comparison) and not self.details:
            return comparison_document(result, SHORT).shown_in("text")
        if isinstance(result, GateReport) and not self.details:
            return gate_document(result, details=False).shown_in("text")
        return document_of(result).shown_in("text")


def _text(sections: Sequence[Section], *, color: bool, width: int) -> str:
    file = StringIO()
    console = _console(file, color=color)
    for index, section in enumerate(sections):
        if index:
            console.print()
        if section.title:
            console.print(Text(section.title, style=f"{STYLES[section.tone]} bold"), width=width)
        for number, columns in enumerate(_split_columns(section.columns, width)):
            if number:
                console.print()
            part = replace(section, columns=columns)
            console.print(_table(part, color=color, width=width), width=max(width, _least_table(columns)))
        for sentence in section.lines:
            console.print(_sentence(sentence), width=width)
    return "\n".join(row.rstrip() for row in file.getvalue().splitlines()) + "\n"


def _console(file: StringIO, *, color: bool) -> Console:
    """Return a console that ignores the environment and the real terminal."""
    return Console(
        file=file,
        width=UNBOUNDED,
        height=UNBOUNDED,  # otherwise a dumb terminal is 80 columns wide
        force_terminal=color,
        force_jupyter=False,
        force_interactive=False,
        color_system="standard" if color else None,
        no_color=not color,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def _sentence(sentence: TextLine) -> Text:
    return Text("".join(map(_shown, sentence.pieces)), style=STYLES[sentence.tone])


def _table(section: Section, *, color: bool, width: int) -> Table:
    is_narrow = sum(_widest(column, column.title) + GAP for column in section.columns) > width + GAP
    table = Table(
        box=SIMPLE_HEAD if color else DASHES_UNDER_THE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style=Style(bold=color),
    )
    for column in section.columns:
        table.add_column(
            column.title,
            justify="right" if column.is_number else "left",
            vertical="bottom",
            overflow="fold",
            width=_least(column) if is_narrow and column.is_number else None,
            min_width=_least(column),
        )
    for row in section.rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    return table


def _split_columns(columns: Sequence[TableColumn], width: int) -> Iterator[tuple[TableColumn, ...]]:
    """Split the columns into tables that fit the width; each repeats the name columns."""
    names = tuple(takewhile(lambda column: not column.is_number, columns))
    part = names
    for column in columns[len(names) :]:
        if len(part) > len(names) and _least_table((*part, column)) > width + GAP:
            yield part
            part = names
        part = (*part, column)
    if part:
        yield part


def _least_table(columns: Iterable[TableColumn]) -> int:
    """Return the minimum width of a table without truncation."""
    return sum(_least(column) + GAP for column in columns)


def _least(column: TableColumn) -> int:
    """Return the minimum width of a column: titles wrap at spaces, names anywhere, numbers never."""
    title = max(column.title.split(), key=cell_len)
    widest = _widest(column, title)
    return widest if column.is_number else min(widest, max(LEAST_NAME, cell_len(title)))


def _widest(column: TableColumn, title: str) -> int:
    return max(map(cell_len, (title, *map(_shown, column.cells))))


def _shown(piece: Piece) -> str:
    match piece:
        case Name(text) | Prose(text):
            return visible(text)
        case CodeSpan(text):
            return text
    return piece
