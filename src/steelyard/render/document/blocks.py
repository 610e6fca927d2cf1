"""Hold a page as sections of sentences and tables, for any renderer to lay out.

A page marks which of its words came from elsewhere, since every renderer must defuse those its own way.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Name:
    """A name from the input: of a model, a tier, a suite, a case or a file."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Words that may quote names from the input, such as a warning."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Words of our own to be typed as they stand, such as a command."""

    text: str


Piece = str | Name | Prose | Code


class Tone(StrEnum):
    """How a line is meant, for renderers that have colours."""

    PLAIN = "plain"
    ANSWER = "answer"
    GOOD = "good"
    BAD = "bad"
    OPEN = "open"
    WARNING = "warning"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sentence."""

    pieces: tuple[Piece, ...]
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table; numbers stand to the right, words to the left."""

    title: str
    cells: tuple[Piece, ...]
    is_number: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title, a table and sentences below it, each may be absent; what `is_detail` may be folded away."""

    title: str = ""
    columns: tuple[Column, ...] = ()
    lines: tuple[Line, ...] = ()
    tone: Tone = Tone.PLAIN
    is_detail: bool = False

    @property
    def rows(self) -> list[tuple[Piece, ...]]:
        """The table row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.columns or self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Sections in reading order, the answer first."""

    sections: tuple[Section, ...] = field(default=())


def line(*pieces: Piece, tone: Tone = Tone.PLAIN) -> Line:
    """Return a sentence of some pieces."""
    return Line(pieces=pieces, tone=tone)


def page_of(*sections: Section) -> Page:
    """Return a page of the sections that have something to say."""
    return Page(sections=tuple(section for section in sections if not section.is_empty))


def numbers(title: str, items: Iterable[Item], written: Callable[[Item], str]) -> Column:
    """Return a column of numbers, one for each item."""
    return Column(title=title, cells=tuple(map(written, items)))


def words(title: str, items: Iterable[Item], said: Callable[[Item], Piece]) -> Column:
    """Return a column of names or words, one for each item."""
    return Column(title=title, cells=tuple(map(said, items)), is_number=False)


def listed(labels: Sequence[Sequence[Piece]], *, limit: int, total: int | None = None) -> tuple[Piece, ...]:
    """Return labels as an enumeration in words, the last ones only counted when there are many.

    `total` is how many there are, if more than the labels given.

    >>> listed([["a"], ["b"], ["c"], ["d"]], limit=2)
    ('a', ', ', 'b', ' and 2 more')
    >>> listed([["a"], ["b"]], limit=2)
    ('a', ' and ', 'b')
    """
    shown = list(islice(labels, limit))
    rest = (len(labels) if total is None else total) - len(shown)
    if rest or not shown:
        return (*_joined(shown), f" and {rest:,} more") if rest else ()
    *first, last = shown
    return (*_joined(first), " and ", *last) if first else tuple(last)


def _joined(labels: Sequence[Sequence[Piece]]) -> Iterable[Piece]:
    separated = ((", ", *label) if place else tuple(label) for place, label in enumerate(labels))
    return chain.from_iterable(separated)
