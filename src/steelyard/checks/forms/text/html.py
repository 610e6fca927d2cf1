"""Find out whether HTML is well formed: every element that must be closed is, and in the right order.

Tags are read as the HTML standard says, by the package justhtml. The elements that may be left open, and
those that have no inside, are those of the standard too.
"""

import re
import time
from collections.abc import Iterator
from secrets import token_hex

from steelyard.checks.grading.patterns import PatternTimeout
from steelyard.errors import InfrastructureError, install_extra

LIMIT_S = 10.0
MISSING = f"checking HTML needs the package justhtml: {install_extra('html')}"
_SLASH = re.compile(r"(?<!<)/>")
_FOREIGN = frozenset({"svg", "math"})
_RAW = frozenset({"script", "style", "textarea", "title", "iframe", "noembed", "noframes", "noscript", "xmp"})
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


def html_problem(text: str, *, limit_s: float = LIMIT_S) -> tuple[str, ...] | str:
    """Return the names of the outermost elements, or what is wrong; raises PatternTimeout.

    >>> html_problem("<ul><li>tea<li>juice</ul>"), html_problem("<b><i>tea</b></i>")
    (('ul',), '</b> closes nothing, <i> is open')
    >>> html_problem("<textarea><b></textarea>")
    ('textarea',)
    """
    elements = _Elements()
    is_whole = False
    end = _mark(text)
    for kind, name, is_closed in _tags(text, end, limit_s):
        if name == end:
            is_whole = True
        elif kind == "start":
            elements.start(name, is_closed=is_closed)
        elif not elements.problem:
            elements.end(name)
    return elements.found(is_whole=is_whole)


def _mark(text: str) -> str:
    """Return a name that stands nowhere in a text, and that its author could not know."""
    mark = f"steelyard-{token_hex(8)}"
    return _mark(text) if mark in text else mark


def _tags(text: str, mark: str, limit_s: float) -> Iterator[tuple[str, str, bool]]:
    """Give each tag: whether it is a `start` or an `end`, its name, and whether it is closed at once.

    What justhtml leaves out is put where it shows, by the mark: the slash of `<g/>` into an attribute, the
    end of the text into a tag.
    """
    try:
        from justhtml import stream  # noqa: PLC0415  # an extra, needed for this alone
    except ImportError:
        raise InfrastructureError(MISSING) from None
    until = time.monotonic() + limit_s
    for event in stream(f"{_SLASH.sub(f' {mark}/>', text)}<{mark}>"):
        if time.monotonic() > until:
            raise PatternTimeout("reading the HTML")
        if event[0] == "start":
            name, attributes = event[1]
            yield "start", name, mark in attributes
        elif event[0] == "end":
            yield "end", event[1], False


class _Elements:
    """Keeps the elements that are open, the outermost ones, and the first thing that is wrong."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.roots: list[str] = []
        self.problem = ""

    def start(self, tag: str, *, is_closed: bool) -> None:
        """Open an element, and close those that it ends; one may be closed at once, as in XHTML and SVG."""
        while self.open and tag in LEFT_OPEN.get(self.open[-1], ()):
            self.open.pop()
        if not self.open:
            self.roots.append(tag)
        if tag not in VOID and not (is_closed and self._may_close_at_once(tag)):
            self.open.append(tag)

    def _may_close_at_once(self, tag: str) -> bool:
        """Whether the slash of `<script/>` counts: in HTML what holds raw text goes on to its end tag."""
        return tag not in _RAW or bool(_FOREIGN & set(self.open))

    def end(self, tag: str) -> None:
        """Close an element, and before it those whose end may be left out."""
        if tag in VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in LEFT_OPEN:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            inside = f", <{self.open[-1]}> is open" if self.open else ""
            self.problem = f"</{tag}> closes nothing{inside}"

    def found(self, *, is_whole: bool) -> tuple[str, ...] | str:
        """Return the names of the outermost elements, or what is wrong."""
        remaining = [name for name in self.open if name not in LEFT_OPEN]
        if not self.problem and remaining:
            self.problem = f"<{remaining[-1]}> is not closed"
        if not self.problem and not is_whole:
            self.problem = "a tag or a comment has no end"
        if not self.problem and not self.roots:
            self.problem = "there is no element in it"
        return self.problem or tuple(self.roots)
