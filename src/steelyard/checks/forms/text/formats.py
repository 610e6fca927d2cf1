"""Parse answers as CSV, XML or HTML, strictly and in linear time.

A fence around the whole answer and leading thoughts are removed.
"""

import csv
import io
from dataclasses import dataclass
from xml.parsers import expat

from steelyard.checks.extraction.extract import END_OF_THOUGHTS
from steelyard.checks.forms.text.html import LIMIT_S, outermost_elements

FENCES = ("```", "~~~")
THOUGHTS = ("think", "thinking")
LONGEST_FIELD = 131_072  # characters of a field of CSV


@dataclass(frozen=True, slots=True, kw_only=True)
class Misformed:
    """The reason why an answer does not have a format."""

    why: str


def without_thoughts(answer: str) -> str:
    r"""Remove the thoughts before an answer.

    If the prompt opened them, the answer contains only their end tag, on its own line.

    >>> without_thoughts("<think>Paris or Lyon?</think>Paris"), without_thoughts("<think>Paris or")
    ('Paris', '')
    >>> without_thoughts("Paris or Lyon?\n</think>\nParis")
    'Paris'
    """
    text = answer.lstrip()
    for name in THOUGHTS:
        if text[: len(name) + 2].lower() == f"<{name}>":
            end = text.lower().find(f"</{name}>")
            return text[end + len(name) + 3 :] if end >= 0 else ""
    ends = list(END_OF_THOUGHTS.finditer(text))
    return text[ends[-1].end() :].lstrip("\n") if ends else answer


def unfenced(answer: str) -> str:
    r"""Remove a fence around the whole answer.

    >>> unfenced("```json\n[1]\n```\n"), unfenced("See:\n```\n[1]\n```")
    ('[1]', 'See:\n```\n[1]\n```')
    """
    text = answer.strip().removeprefix("\ufeff")
    mark = text[:3]
    if mark not in FENCES or "\n" not in text:
        return answer
    inside = text.split("\n", 1)[1]
    body, end, after = inside.rpartition(mark)
    if end and not after.strip() and mark not in body:
        return body.strip("\n")
    return inside if mark not in inside else answer


def csv_rows(text: str, columns: tuple[str, ...]) -> list[list[str]] | Misformed:
    r"""Return the rows below the header, or the reason why this is not CSV with these columns.

    >>> csv_rows("a,b\n1,2\n", ("a", "b"))
    [['1', '2']]
    >>> csv_rows("a;b\n1;2\n", ("a", "b")).why
    'the header is a;b, expected a,b'
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text.strip("\r\n"), newline=""), strict=True) if row]
    except csv.Error as error:
        return Misformed(why=f"the answer is not CSV: {error}")
    # The limit of the csv module is global, and others may change it.
    if any(len(field) > LONGEST_FIELD for row in rows for field in row):
        return Misformed(why=f"the answer is not CSV: a field has more than {LONGEST_FIELD:,} characters")
    if not rows or tuple(rows[0]) != columns:
        header = ",".join(rows[0])[:200] if rows else "missing"
        return Misformed(why=f"the header is {header}, expected {','.join(columns)}")
    for index, row in enumerate(rows[1:], start=1):
        if len(row) != len(columns):
            return Misformed(why=f"row {index} has {len(row)} fields, expected {len(columns)}")
    return rows[1:]


def xml_root(text: str) -> str | Misformed:
    """Return the name of the root element, or the reason why this is not well-formed XML without entities.

    >>> xml_root("<note><to>Mia</to></note>"), xml_root("<a><b></a>").why
    ('note', 'the answer is not XML: mismatched tag: line 1, column 8')
    """
    roots: list[str] = []
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler = lambda name, _: roots.append(name) if not roots else None
    parser.EntityDeclHandler = _reject_entity
    try:
        parser.Parse(text.strip().encode("utf-8", "replace"), True)  # noqa: FBT003  # expat takes it by position
    except (expat.ExpatError, ValueError) as error:
        return Misformed(why=f"the answer is not XML: {error}")
    return roots[0]


def html_roots(text: str, *, limit_s: float = LIMIT_S) -> tuple[str, ...] | Misformed:
    """Return the names of the outermost elements, or the reason why this is not well-formed HTML."""
    bare = text.strip()
    if not (bare.startswith("<") and bare.endswith(">")):
        return Misformed(why="the answer is not HTML, or contains other text")
    roots = outermost_elements(bare, limit_s=limit_s)
    if isinstance(roots, tuple):
        return roots
    return Misformed(why=f"the answer is not well-formed HTML: {roots}")


def _reject_entity(*_: object) -> None:
    raise ValueError("it declares an entity")
