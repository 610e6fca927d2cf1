"""Render names, sentences and links as markup; untrusted names keep their own writing direction.

The fragment of a case is the same on every page, so pages can link to each other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from steelyard.model.comparison import CaseRef, ScoreChange
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.document.blocks import CodeSpan, Name, Piece, Prose
from steelyard.render.document.labels import Labels
from steelyard.render.names import NOTHING, shortened, visible

NAME_LENGTH = 80
PROSE_LENGTH = 2_000


def subject_name(model: str, tier: str, labels: Labels) -> Markup:
    """Return the model, with its tier only if the report has several."""
    in_tier = tag("span", " ", tag("bdi", _short(tier)), class_="tier") if labels.has_tiers else None
    return joined(named(model), in_tier)


def named(text: str) -> Markup:
    """Return an untrusted name, isolated from the surrounding writing direction."""
    whole = shortened(text, PROSE_LENGTH) if len(text) > NAME_LENGTH else None
    return tag("bdi", _short(text), title=whole)


def pieces(parts: Iterable[Piece]) -> Markup:
    """Return the pieces of a sentence or a cell as markup."""
    return joined(*map(_piece, parts))


def headline(parts: Iterable[Piece]) -> Markup:
    """Return a sentence for a heading, in which no number is separated from its percent sign."""
    return Markup(pieces(parts).replace(" %", "&nbsp;%"))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """Relative addresses of other pages about the same runs; None if there is no such page."""

    report: str | None = None
    comparison: str | None = None
    gate: str | None = None

    @property
    def known(self) -> dict[str, str]:
        """The existing pages by title."""
        pages = {"report": self.report, "comparison": self.comparison, "gate": self.gate}
        return {title: address for title, address in pages.items() if address}


NO_LINKS = PageLinks()


def case_fragment(case: CaseRef | ScoreChange) -> str:
    """Return the URL fragment of a subject's case; page.js reads it.

    >>> case_fragment(CaseRef(model="a/b", tier="T0", suite="basics", case="fizz buzz"))
    'case=fizz%20buzz&suite=basics&model=a%2Fb&tier=T0'
    """
    parts = {"case": case.case, "suite": case.suite, "model": case.model, "tier": case.tier}
    return "&".join(f"{key}={quote(visible(text), safe='')}" for key, text in parts.items())
