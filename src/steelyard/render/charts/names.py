"""Write names and sentences as markup; untrusted text is escaped and keeps its writing direction."""

from collections.abc import Iterable

from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.document.blocks import CodeSpan, Name, Piece, Prose
from steelyard.render.document.labels import Labels
from steelyard.render.names import NOTHING, shortened

NAME_LENGTH = 80
PROSE_LENGTH = 2_000


def subject_name(model: str, tier: str, labels: Labels) -> Markup:
    """Return the name of a subject with no more words than it takes to tell it apart."""
    in_tier = tag("span", " ", tag("bdi", _short(tier)), class_="tier") if labels.has_tiers else None
    return joined(named(model), in_tier)


def named(text: str) -> Markup:
    """Return an untrusted name; it keeps its own writing direction."""
    whole = shortened(text, PROSE_LENGTH) if len(text) > NAME_LENGTH else None
    return tag("bdi", _short(text), title=whole)


def pieces(parts: Iterable[Piece]) -> Markup:
    """Return the pieces of a sentence or a cell, each escaped its own way."""
    return joined(*map(_piece, parts))


def _piece(piece: Piece) -> Markup | str:
    match piece:
        case Name(text):
            return named(text)
        case Prose(text):
            return shortened(text, PROSE_LENGTH)
        case CodeSpan(text):
            return tag("code", text)
    return piece


def _short(text: str) -> str:
    return shortened(text, NAME_LENGTH) or NOTHING
