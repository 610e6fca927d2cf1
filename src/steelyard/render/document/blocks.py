"""Define documents: sections of sentences, tables and figures, independent of the output format.

Untrusted text is marked, and each renderer escapes it for its format.
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
    """Text that may quote names from the input, such as a warning."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Trusted text to be typed literally, such as a command."""

    text: str


Piece = str | Name | Prose | CodeSpan


class Tone(StrEnum):
    """The meaning of a line, shown as a colour where the format has colours."""

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
    """One column of a table; numbers are right-aligned, words left-aligned."""

    title: str
    cells: tuple[Piece, ...]
    is_number: bool = True


class FigureKind(StrEnum):
    """The kinds of figure."""

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
    """A figure and the record it is drawn from; text formats omit it."""

    kind: FigureKind
    data: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title, a figure, a table and sentences, each optional.

    A section that `is_detail` may be folded; `only_in` restricts it to some formats.
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
        """Whether the section has neither table nor sentences."""
        return not (self.columns or self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The full description of a result: sections by name, in reading order."""

    sections: Mapping[str, Section]

    def shown_in(self, form: str) -> tuple[Section, ...]:
        """Return the non-empty sections of a format."""
        return tuple(
            section
            for section in self.sections.values()
            if not section.is_empty and (section.only_in is None or form in section.only_in)
        )

    def pick(self, *names: str) -> tuple[Section, ...]:
        """Return the sections of these names, including empty ones."""
        return tuple(self.sections[name] for name in names)


def pictured(section: Section, kind: FigureKind, data: object) -> Section:
    """Return a section with a figure above its table."""
    return replace(section, figure=Figure(kind=kind, data=data))


def line(*pieces: Piece, tone: Tone = Tone.PLAIN) -> TextLine:
    """Return a sentence."""
    return TextLine(pieces=pieces, tone=tone)


def numbers(title: str, items: Iterable[Item], written: Callable[[Item], str]) -> TableColumn:
    """Return a column of numbers, one for each item."""
    return TableColumn(title=title, cells=tuple(map(written, items)))


def words(title: str, items: Iterable[Item], written: Callable[[Item], Piece]) -> TableColumn:
    """Return a column of names or words, one for each item."""
    return TableColumn(title=title, cells=tuple(map(written, items)), is_number=False)


def listed(labels: Sequence[Sequence[Piece]], *, limit: int, total: int | None = None) -> tuple[Piece, ...]:
    """Return labels as an enumeration; those beyond `limit` are only counted.

    `total` is the number of labels, if more than those given.

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
