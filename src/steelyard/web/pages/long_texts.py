"""Truncate long texts, with a link to the full text."""

from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.html.code import block

SHOWN = 100_000  # characters of a text; the rest is a link away


def cut(text: str, *, whole: bool, link: str = "?whole=1") -> tuple[str, Markup | None]:
    """Return a text, truncated unless `whole`, and a link to the full text."""
    if whole or len(text) <= SHOWN:
        return text, None
    note = f"The first {SHOWN:,} of {len(text):,} characters. "
    return text[:SHOWN], tag("p", note, tag("a", "Show all", href=link))


def cut_block(text: str, *, label: str, whole: bool, link: str = "?whole=1") -> Markup:
    """Return a text in a box, truncated unless `whole`."""
    shown, more = cut(text, whole=whole, link=link)
    return joined(block(shown, label=label), more)
