"""Build markup in which untrusted text can never become a tag.

A plain string is text and is escaped wherever it goes; only `Markup`, which only `tag` makes, is not.
"""

from collections.abc import Iterable
from html import escape

from steelyard.render.names import visible

Attribute = str | int | float | bool | None

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})
DECIMALS = 2


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Content = str | Markup | Iterable["Content"] | None


def tag(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element; `class_` is the attribute `class`, and `view_box` is `viewBox`.

    An attribute that is None or False is left out, and one that is True has no value.

    >>> tag("p", "1 < 2 ", tag("b", "<b>"), class_="quiet", hidden=False)
    '<p class="quiet">1 &lt; 2 <b>&lt;b&gt;</b></p>'
    """
    start = "".join((name, *(_attribute(key, value) for key, value in attributes.items())))
    if name in VOID:
        return Markup(f"<{start}>")
    return Markup(f"<{start}>{joined(*content)}</{name}>")


def joined(*content: Content) -> Markup:
    """Return pieces one after the other, text escaped, control characters shown as codes."""
    return Markup("".join(_piece(piece) for piece in content if piece is not None))


def raw(name: str, source: str, /, **attributes: Attribute) -> Markup:
    """Return a script or a style of our own, whose text a browser reads as it stands."""
    start = "".join((name, *(_attribute(key, value) for key, value in attributes.items())))
    if f"</{name}" in source.lower():
        raise ValueError(f"the text of a {name} ends it early")
    return Markup(f"<{start}>{source}</{name}>")


def percent(share: float) -> str:
    """Return a place along an axis, given as a share of it.

    >>> percent(0.5), percent(1 / 3)
    ('50%', '33.33%')
    """
    return f"{round(100 * share, DECIMALS):g}%"


def _piece(piece: str | Markup | Iterable[Content]) -> str:
    if isinstance(piece, Markup):
        return piece
    if isinstance(piece, str):
        return escape(visible(piece) if piece else piece)
    return joined(*piece)


def _attribute(name: str, value: Attribute) -> str:
    spelt = "viewBox" if name == "view_box" else name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {spelt}"
    text = f"{round(value, DECIMALS):g}" if isinstance(value, float) else str(value)
    shown = _sent_back(text) if spelt == "value" else visible(text) if text else text
    return f' {spelt}="{escape(shown)}"'


def _sent_back(text: str) -> str:
    """Return the value of a form as it is, since a browser sends it back; half a character is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()
