"""Lay out the sections of a document, sentences and tables, as HTML."""

from collections.abc import Iterable, Sequence

from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import pieces
from steelyard.render.document.blocks import Piece, Section, TableColumn, TextLine, Tone
from steelyard.render.words import counted

ROWS_SHOWN = 200


def sentence(line: TextLine, *, kind: str = "p") -> Markup:
    """Return one sentence, styled by its tone."""
    tone = None if line.tone is Tone.PLAIN else f"tone-{line.tone}"
    return tag(kind, pieces(line.pieces), class_=tone)


def block(section: Section) -> Markup:
    """Return a section: title, table and sentences."""
    return joined(
        tag("h3", section.title) if section.title else None,
        table(section) if section.columns else None,
        [sentence(line) for line in section.lines],
    )


def table(section: Section) -> Markup:
    """Return the table of a section, which scrolls on narrow screens."""
    rows = section.rows[:ROWS_SHOWN]
    head = tag(
        "tr", (tag("th", column.title, scope="col", class_=_class(column)) for column in section.columns)
    )
    body = (tag("tr", _cells(row, section.columns)) for row in rows)
    whole = tag("table", tag("thead", head), tag("tbody", body), class_="plain")
    left_out = len(section.rows) - len(rows)
    more = (
        tag("p", f"and {counted(left_out, 'more row')}; --format json has everything") if left_out else None
    )
    label = section.title or "numbers"
    return joined(tag("div", whole, class_="scroll", tabindex="0", role="group", aria_label=label), more)


def large_numbers(section: Section) -> Markup:
    """Return the numbers of a one-row table with their titles, in large type."""
    numbers = (
        tag("div", tag("dt", column.title), tag("dd", pieces(column.cells))) for column in section.columns
    )
    return tag("dl", numbers, class_="figures")


def folded(summary: str, *content: Markup | None, opened: bool = False) -> Markup | None:
    """Return content in a collapsed element; None without content."""
    present = [part for part in content if part]
    return tag("details", tag("summary", summary), present, open=opened) if present else None


def sections(shown: Sequence[Section]) -> Markup | None:
    """Return the non-empty sections; None if there are none."""
    blocks = [block(section) for section in shown if not section.is_empty]
    return joined(*blocks) if blocks else None


def _cells(row: Sequence[Piece], columns: Sequence[TableColumn]) -> Iterable[Markup]:
    for index, (cell, column) in enumerate(zip(row, columns, strict=True)):
        kind = "td" if index or column.is_number else "th"
        scope = "row" if kind == "th" else None
        yield tag(kind, pieces([cell]), scope=scope, class_=_class(column))


def _class(column: TableColumn) -> str | None:
    return "number" if column.is_number else None
