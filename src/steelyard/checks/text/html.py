"""Find out whether HTML is well formed: every element that must be closed is, and in the right order.

The elements that may be left open, and those that have no inside, are those of the HTML standard.
"""

from html.parser import HTMLParser

VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr"),
    }
)
# An element whose end may be left out, and what ends it besides the end of what is around it.
_BLOCKS = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "details",
            "div",
            "dl",
            "fieldset",
            "figure",
            "footer",
        ),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main"),
        *("nav", "ol", "p", "pre", "section", "table", "ul"),
    }
)
_ROWS = frozenset({"tr", "tbody", "thead", "tfoot"})
LEFT_OPEN = {
    "li": frozenset({"li"}),
    "p": _BLOCKS,
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": _ROWS,
    "td": _ROWS | {"td", "th"},
    "th": _ROWS | {"td", "th"},
    "thead": frozenset({"tbody", "tfoot"}),
    "tbody": frozenset({"tbody", "tfoot"}),
    "tfoot": frozenset({"tbody"}),
    "option": frozenset({"option", "optgroup"}),
    "optgroup": frozenset({"optgroup"}),
    "colgroup": _ROWS,
    "rt": frozenset({"rt", "rp"}),
    "rp": frozenset({"rt", "rp"}),
    "html": frozenset[str](),
    "head": frozenset({"body"}),
    "body": frozenset[str](),
}


def html_problem(text: str) -> tuple[str, ...] | str:
    """Return the names of the outermost elements, or what is wrong.

    >>> html_problem("<ul><li>tea<li>juice</ul>"), html_problem("<b><i>tea</b></i>")
    (('ul',), '</b> closes nothing, <i> is open')
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    left = [name for name in reader.open if name not in LEFT_OPEN]
    if not reader.problem and left:
        reader.problem = f"<{left[-1]}> is not closed"
    if not reader.problem and not reader.roots:
        reader.problem = "there is no element in it"
    return reader.problem or tuple(reader.roots)


class _Reader(HTMLParser):
    """Keeps the elements that are open, the outermost ones, and the first thing that is wrong."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.roots: list[str] = []
        self.problem = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, and close those that it ends."""
        del attrs
        while self.open and tag in LEFT_OPEN.get(self.open[-1], ()):
            self.open.pop()
        if not self.open:
            self.roots.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element that is closed at once, as in XHTML."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and before it those whose end may be left out."""
        if tag in VOID or self.problem:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in LEFT_OPEN:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            inside = f", <{self.open[-1]}> is open" if self.open else ""
            self.problem = f"</{tag}> closes nothing{inside}"
