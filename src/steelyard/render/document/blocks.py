"""Hold a document as sections of sentences, tables and pictures, for any renderer to lay out.

A document marks the words that are untrusted: each renderer escapes them in its own way.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
class CodeSpan:
    """Words of our own to be typed as they stand, such as a command."""

    text: str


Piece = str | Name | Prose | CodeSpan


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
class TextLine:
    """One sentence."""

    pieces: tuple[Piece, ...]
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """One column of a table; numbers stand to the right, words to the left."""

    title: str
    cells: tuple[Piece, ...]
    is_number: bool = True


class FigureKind(StrEnum):
    """The pictures there are."""

    RANKING = "ranking"
    PASS_AT_K = "pass-at-k"
    COST = "cost"
    SUITES = "suites"
    UPLIFT = "uplift"
    FAILURES = "failures"
    STEADINESS = "steadiness"
    LATENCY = "latency"
    SUBJECT_CHANGES = "subject-changes"
    SUITE_CHANGES = "suite-changes"
    REGRESSIONS = "regressions"
    IMPROVEMENTS = "improvements"
    PLAUSIBLE_DROPS = "plausible-drops"
    CARRIED_BY = "carried-by"
    HISTORY = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture: which one, and the record it is drawn from; formats without pictures leave it out."""

    kind: FigureKind
    data: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title, a picture, a table and sentences below it, each may be absent.

    What `is_detail` may be folded away; `only_in` names the formats that show the section, None is all.
    """

    title: str = ""
    figure: Figure | None = None
    columns: tuple[TableColumn, ...] = ()
    lines: tuple[TextLine, ...] = ()
    tone: Tone = Tone.PLAIN
    is_detail: bool = False
    only_in: frozenset[str] | None = None

    @property
    def rows(self) -> list[tuple[Piece, ...]]:
        """The table row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read, in a format without pictures."""
        return not (self.columns or self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Everything that is said about a result: sections by name, in reading order, the answer first."""

    sections: Mapping[str, Section]

    def shown_in(self, form: str) -> tuple[Section, ...]:
        """Return the sections that have something to read in a format."""
        return tuple(
            section
            for section in self.sections.values()
            if not section.is_empty and (section.only_in is None or form in section.only_in)
        )

    def pick(self, *names: str) -> tuple[Section, ...]:
        """Return the sections of these names, empty ones too."""
        return tuple(self.sections[name] for name in names)


def pictured(section: Section, kind: FigureKind, data: object) -> Section:
    """Return a section with a picture above its table."""
    return replace(section, figure=Figure(kind=kind, data=data))


def line(*pieces: Piece, tone: Tone = Tone.PLAIN) -> TextLine:
    """Return a sentence of some pieces."""
    return TextLine(pieces=pieces, tone=tone)


def numbers(title: str, items: Iterable[Item], written: Callable[[Item], str]) -> TableColumn:
    """Return a column of numbers, one for each item."""
    return TableColumn(title=title, cells=tuple(map(written, items)))


def words(title: str, items: Iterable[Item], said: Callable[[Item], Piece]) -> TableColumn:
    """Return a column of names or words, one for each item."""
    return TableColumn(title=title, cells=tuple(map(said, items)), is_number=False)


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
    separated = ((", ", *label) if index else tuple(label) for index, label in enumerate(labels))
    return chain.from_iterable(separated)
