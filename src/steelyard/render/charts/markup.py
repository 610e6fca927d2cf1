"""Build markup in which untrusted text can never become a tag.

A plain string is always escaped; `Markup`, which `tag` returns, is not.
"""

from collections.abc import Iterable
from html import escape

from steelyard.render.names import visible

Attribute = str | int | float | bool | None

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})
DECIMALS = 2


class Markup(str):
    """Text that needs no escaping."""

    __slots__ = ()


Content = str | Markup | Iterable["Content"] | None


def tag(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element; `class_` is the attribute `class`, and `view_box` is `viewBox`.

    Attributes that are None or False are omitted; True gives an attribute without a value.

    >>> tag("p", "1 < 2 ", tag("b", "<b>"), class_="quiet", hidden=False)
    '<p class="quiet">1 &lt; 2 <b>&lt;b&gt;</b></p>'
    """
    start = "".join((name, *(_attribute(key, value) for key, value in attributes.items())))
    if name in VOID:
        return Markup(f"<{start}>")
    return Markup(f"<{start}>{joined(*content)}</{name}>")


def joined(*content: Content) -> Markup:
    """Concatenate pieces; text is escaped, control characters are shown as codes."""
    return Markup("".join(_piece(piece) for piece in content if piece is not None))


def raw(name: str, source: str, /, **attributes: Attribute) -> Markup:
    """Return a script or style element; its source is not escaped.

    Raises:
        ValueError: The source contains the closing tag.
    """
    start = "".join((name, *(_attribute(key, value) for key, value in attributes.items())))
    if f"</{name}" in source.lower():
        raise ValueError(f"the source of a {name} contains </{name}")
    return Markup(f"<{start}>{source}</{name}>")


def percent(share: float) -> str:
    """Return a position along an axis as CSS.

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
    html_name = "viewBox" if name == "view_box" else name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {html_name}"
    text = f"{round(value, DECIMALS):g}" if isinstance(value, float) else str(value)
    shown = _form_value(text) if html_name == "value" else visible(text) if text else text
    return f' {html_name}="{escape(shown)}"'


def _form_value(text: str) -> str:
    """Return a form value unchanged, since the browser sends it back; lone surrogates are escaped."""
    return text.encode("utf-8", "backslashreplace").decode()
