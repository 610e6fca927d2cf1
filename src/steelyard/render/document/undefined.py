"""Explain the dashes in a table: which number of which row is undefined, and why."""

from collections.abc import Iterable
from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.render.document.blocks import Piece, Prose, TextLine, Tone, line, listed
from steelyard.render.words import counted, why

OWNERS_NAMED = 3

Label = tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dash:
    """A number that is shown as a dash, and the row it stands in."""

    what: str
    whose: Label
    gap: Estimate


def explained(dashes: Iterable[Dash], *, rows: int, noun: str) -> tuple[TextLine, ...]:
    """Return one line for each reason, naming the rows it is about unless that is all of them."""
    owners: dict[tuple[str, str], list[Label]] = {}
    for dash in dashes:
        owners.setdefault((dash.what, why(dash.gap.reason, dash.gap.detail)), []).append(dash.whose)
    titles: dict[tuple[tuple[Label, ...], str], list[str]] = {}
    for (what, reason), labels in owners.items():
        titles.setdefault((tuple(labels), reason), []).append(what)
    return tuple(
        _line(whats, labels, reason, of_all=_of_all(rows, noun) if len(labels) == rows else None)
        for (labels, reason), whats in titles.items()
    )


def _line(whats: list[str], labels: tuple[Label, ...], reason: str, *, of_all: str | None) -> TextLine:
    whose = (of_all,) if of_all is not None else (" of ", *listed(labels, limit=OWNERS_NAMED))
    names = listed([(what,) for what in whats], limit=len(whats))
    return line(*names, *whose, ": not defined, ", Prose(reason), tone=Tone.QUIET)


def _of_all(rows: int, noun: str) -> str:
    return "" if rows == 1 else f" of all {counted(rows, noun)}"
