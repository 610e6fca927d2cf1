"""Check that HTML is well formed: all elements are closed in the right order.

justhtml tokenises the text by the HTML standard, which also defines void elements and optional end tags.
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
# Elements with an optional end tag, and the start tags that imply it.
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


def outermost_elements(text: str, *, limit_s: float = LIMIT_S) -> tuple[str, ...] | str:
    """Return the names of the outermost elements, or the problem; raises PatternTimeout.

    >>> outermost_elements("<ul><li>tea<li>juice</ul>"), outermost_elements("<b><i>tea</b></i>")
    (('ul',), '</b> closes nothing, <i> is open')
    >>> outermost_elements("<textarea><b></textarea>")
    ('textarea',)
    """
    elements = _Elements()
    is_complete = False
    end = _mark(text)
    for kind, name, is_closed in _tags(text, end, limit_s):
        if name == end:
            is_complete = True
        elif kind == "start":
            elements.start(name, is_closed=is_closed)
        elif not elements.problem:
            elements.end(name)
    return elements.result(is_complete=is_complete)


def _mark(text: str) -> str:
    """Return a random name that does not occur in a text."""
    mark = f"steelyard-{token_hex(8)}"
    return _mark(text) if mark in text else mark


def _tags(text: str, mark: str, limit_s: float) -> Iterator[tuple[str, str, bool]]:
    """Yield each tag: `start` or `end`, its name, and whether it is self-closing.

    justhtml drops the slash of `<g/>` and the end of the text; a mark preserves them as attribute and tag.
    """
    try:
        from justhtml import stream  # noqa: PLC0415  # an extra
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
    """Tracks open and outermost elements, and the first problem."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.roots: list[str] = []
        self.problem = ""

    def start(self, tag: str, *, is_closed: bool) -> None:
        """Open an element after implied end tags; it may be self-closing, as in XHTML and SVG."""
        while self.open and tag in LEFT_OPEN.get(self.open[-1], ()):
            self.open.pop()
        if not self.open:
            self.roots.append(tag)
        if tag not in VOID and not (is_closed and self._may_self_close(tag)):
            self.open.append(tag)

    def _may_self_close(self, tag: str) -> bool:
        """Whether the slash of `<script/>` counts: elements with raw text need an end tag in HTML."""
        return tag not in _RAW or bool(_FOREIGN & set(self.open))

    def end(self, tag: str) -> None:
        """Close an element after implied end tags."""
        if tag in VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in LEFT_OPEN:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            inside = f", <{self.open[-1]}> is open" if self.open else ""
            self.problem = f"</{tag}> closes nothing{inside}"

    def result(self, *, is_complete: bool) -> tuple[str, ...] | str:
        """Return the names of the outermost elements, or the problem."""
        remaining = [name for name in self.open if name not in LEFT_OPEN]
        if not self.problem and remaining:
            self.problem = f"<{remaining[-1]}> is not closed"
        if not self.problem and not is_complete:
            self.problem = "a tag or a comment has no end"
        if not self.problem and not self.roots:
            self.problem = "it contains no element"
        return self.problem or tuple(self.roots)
