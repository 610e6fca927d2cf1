"""Read sections as a test wants them: sentences as text, tables as columns by title."""

from steelyard.render.document.blocks import Piece, Section, TextLine


def said(section: Section) -> list[str]:
    return [sentence(line) for line in section.lines]


def sentence(line: TextLine) -> str:
    return "".join(map(word, line.pieces))


def columns(section: Section) -> dict[str, list[str]]:
    """Return the columns by title; an interval is named after the number that it stands beside."""
    found, owner = {}, ""
    for column in section.columns:
        is_interval = column.title in {"95 % new cases", "re-run"}
        owner = owner if is_interval else column.title
        found[f"{owner}, {column.title}" if is_interval else owner] = [word(cell) for cell in column.cells]
    return found


def word(piece: Piece) -> str:
    return piece if isinstance(piece, str) else piece.text
