"""Read answers that have a form: CSV, XML, HTML; strictly, and in a time that their length allows.

A fence around the whole answer is no part of it, and neither are the thoughts that some models put before it.
"""

import csv
import io
from dataclasses import dataclass
from xml.parsers import expat

from steelyard.checks.extraction.extract import END_OF_THOUGHTS
from steelyard.checks.forms.text.html import LIMIT_S, html_problem

FENCES = ("```", "~~~")
THOUGHTS = ("think", "thinking")
LONGEST_FIELD = 131_072  # characters of a field of CSV


@dataclass(frozen=True, slots=True, kw_only=True)
class Misformed:
    """Why an answer is not in a form."""

    why: str


def without_thoughts(answer: str) -> str:
    r"""Return an answer without what the model thought aloud before it.

    Where the prompt has opened the thoughts, only their end is in the answer, on a line of its own.

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
    r"""Return the inside of a fence that is around all of an answer, or the answer.

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
    r"""Return the rows below the header, or why this is no CSV with these columns.

    >>> csv_rows("a,b\n1,2\n", ("a", "b"))
    [['1', '2']]
    >>> csv_rows("a;b\n1;2\n", ("a", "b")).why
    'the header is a;b, expected a,b'
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text.strip("\r\n"), newline=""), strict=True) if row]
    except csv.Error as error:
        return Misformed(why=f"the answer is no CSV: {error}")
    # The csv module has a limit too, but any other part of a program may change that one.
    if any(len(field) > LONGEST_FIELD for row in rows for field in row):
        return Misformed(why=f"the answer is no CSV: a field has more than {LONGEST_FIELD:,} characters")
    if not rows or tuple(rows[0]) != columns:
        header = ",".join(rows[0])[:200] if rows else "missing"
        return Misformed(why=f"the header is {header}, expected {','.join(columns)}")
    for index, row in enumerate(rows[1:], start=1):
        if len(row) != len(columns):
            return Misformed(why=f"row {index} has {len(row)} fields, expected {len(columns)}")
    return rows[1:]


def xml_root(text: str) -> str | Misformed:
    """Return the name of the root element, or why this is no well-formed XML; entities are not declared.

    >>> xml_root("<note><to>Mia</to></note>"), xml_root("<a><b></a>").why
    ('note', 'the answer is no XML: mismatched tag: line 1, column 8')
    """
    roots: list[str] = []
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler = lambda name, _: roots.append(name) if not roots else None
    parser.EntityDeclHandler = _refused
    try:
        parser.Parse(text.strip().encode("utf-8", "replace"), True)  # noqa: FBT003  # the library's own order
    except (expat.ExpatError, ValueError) as error:
        return Misformed(why=f"the answer is no XML: {error}")
    return roots[0]


def html_roots(text: str, *, limit_s: float = LIMIT_S) -> tuple[str, ...] | Misformed:
    """Return the names of the outermost elements, or why this is no well-formed HTML and nothing else."""
    bare = text.strip()
    if not (bare.startswith("<") and bare.endswith(">")):
        return Misformed(why="the answer is no HTML, or there is text around it")
    problem = html_problem(bare, limit_s=limit_s)
    return (
        problem
        if isinstance(problem, tuple)
        else Misformed(why=f"the answer is no well-formed HTML: {problem}")
    )


def _refused(*_: object) -> None:
    raise ValueError("it declares an entity")
