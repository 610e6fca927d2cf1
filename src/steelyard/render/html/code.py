"""Show code and other text verbatim: highlighted, with line numbers, every character visible.

The text is untrusted: tags are escaped, and invisible or bidirectional characters are shown as codes.
"""

import re
from collections.abc import Iterable
from html import escape

from steelyard.render.charts.markup import Markup, tag
from steelyard.render.html.highlight import Piece, highlighted
from steelyard.render.names import visible

_KEPT = re.compile(r"([\n\t]+)")
_LINE = re.compile(r"((?:answer\.\w{1,10}\"?, )?\bline [0-9]{1,6}\b)")


def plain(text: str) -> Markup:
    r"""Return text for a `pre` element: other invisible characters than line ends and tabs are escaped.

    >>> plain("a <b>\n\x1b[31m")
    'a &lt;b&gt;\n\\x1b[31m'
    """
    parts = _KEPT.split(text)
    return Markup("".join(part if index % 2 else _shown(part) for index, part in enumerate(parts)))


def block(text: str, *, label: str) -> Markup:
    """Return text in a scrollable box; `label` is for screen readers."""
    return tag("pre", plain(text), tabindex="0", role="group", aria_label=label)


def code_block(text: str, language: str, *, label: str, anchor: str = "L") -> Markup:
    """Return highlighted code with numbered lines; `#L12` links to line 12."""
    lines = _lines(highlighted(text, language))
    shown = Markup("".join(_line(line, number, anchor) for number, line in enumerate(lines, 1)))
    return tag("pre", tag("code", shown), tabindex="0", role="group", aria_label=label, class_="numbered")


def _shown(text: str) -> str:
    return escape(visible(text)) if text else text


def _line(line: Iterable[Piece], number: int, anchor: str) -> str:
    shown = "".join(
        plain(text) if kind is None else f'<span class="{kind}">{plain(text)}</span>' for text, kind in line
    )
    return f'<span class="line" id="{anchor}{number}">{shown}\n</span>'


def _lines(pieces: Iterable[Piece]) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for text, kind in pieces:
        first, *others = text.split("\n")
        lines[-1].append((first, kind))
        lines.extend([(part, kind)] for part in others)
    return lines if len(lines) == 1 or any(text for text, _ in lines[-1]) else lines[:-1]


def with_line_links(text: str, *, answer: int, tests: int = 0) -> Markup:
    """Link each `line N` in a check's output to that line of the tests or of the answer.

    `answer` and `tests` are numbers of lines. With tests, a line is theirs unless the answer's file is named.
    """
    return Markup("".join(_linked(part, answer, tests) for part in _LINE.split(text)))


def _linked(part: str, answer: int, tests: int) -> str:
    match = _LINE.fullmatch(part)
    if not match:
        return plain(part)
    number = int(part.rpartition(" ")[2])
    is_test = tests > 0 and not part.startswith("answer")
    if not 1 <= number <= (tests if is_test else answer):
        return plain(part)
    return tag("a", plain(part), href=f"#{'T' if is_test else 'L'}{number}")
