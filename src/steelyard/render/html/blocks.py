"""Lay out the sections of a page, sentences and tables, as HTML."""

from collections.abc import Iterable, Sequence

from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.order import named
from steelyard.render.document.blocks import Code, Column, Line, Name, Piece, Prose, Section, Tone
from steelyard.render.names import shortened
from steelyard.render.words import counted

PROSE_LENGTH = 2_000
ROWS_SHOWN = 200


def sentence(line: Line, *, kind: str = "p") -> Markup:
    """Return one sentence; its tone decides how it looks."""
    tone = None if line.tone is Tone.PLAIN else f"tone-{line.tone}"
    return tag(kind, pieces(line.pieces), class_=tone)


def pieces(parts: Iterable[Piece]) -> Markup:
    """Return the pieces of a sentence, each escaped its own way."""
    return joined(*(_piece(part) for part in parts))


def block(section: Section, *, title: bool = True) -> Markup:
    """Return a section: its title, its table and the sentences below."""
    return joined(
        tag("h3", section.title) if section.title and title else None,
        table(section) if section.columns else None,
        [sentence(line) for line in section.lines],
    )


def table(section: Section) -> Markup:
    """Return the table of a section; a narrow screen scrolls it by itself."""
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


def folded(summary: str, *content: Markup | None, opened: bool = False) -> Markup | None:
    """Return content that a reader opens, or nothing if there is none."""
    kept = [one for one in content if one]
    return tag("details", tag("summary", summary), kept, open=opened) if kept else None


def sections(found: Sequence[Section]) -> Markup | None:
    """Return the sections that have something to say, or nothing if none has."""
    told = [block(section) for section in found if not section.is_empty]
    return joined(*told) if told else None


def _cells(row: Sequence[Piece], columns: Sequence[Column]) -> Iterable[Markup]:
    for place, (cell, column) in enumerate(zip(row, columns, strict=True)):
        kind = "td" if place or column.is_number else "th"
        scope = "row" if kind == "th" else None
        yield tag(kind, _piece(cell), scope=scope, class_=_class(column))


def _class(column: Column) -> str | None:
    return "number" if column.is_number else None


def _piece(piece: Piece) -> Markup | str:
    match piece:
        case Name(text):
            return named(text)
        case Prose(text):
            return shortened(text, PROSE_LENGTH)
        case Code(text):
            return tag("code", text)
    return piece
