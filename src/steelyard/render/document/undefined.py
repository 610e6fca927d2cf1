"""Explain the dashes in a table: what is undefined, for which rows, and why."""

from collections.abc import Iterable
from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.render.document.blocks import Piece, Prose, TextLine, Tone, line, listed
from steelyard.render.words import counted, why

OWNERS_NAMED = 3

Label = tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dash:
    """A number that is shown as a dash, and the label of its row."""

    title: str
    owner: Label
    gap: Estimate


def explained(dashes: Iterable[Dash], *, rows: int, noun: str) -> tuple[TextLine, ...]:
    """Return a line for each reason, with the rows concerned unless it is all of them."""
    owners: dict[tuple[str, str], list[Label]] = {}
    for dash in dashes:
        owners.setdefault((dash.title, why(dash.gap.reason, dash.gap.detail)), []).append(dash.owner)
    titles: dict[tuple[tuple[Label, ...], str], list[str]] = {}
    for (title, reason), labels in owners.items():
        titles.setdefault((tuple(labels), reason), []).append(title)
    return tuple(
        _line(row_titles, labels, reason, of_all=_of_all(rows, noun) if len(labels) == rows else None)
        for (labels, reason), row_titles in titles.items()
    )


def _line(titles: list[str], labels: tuple[Label, ...], reason: str, *, of_all: str | None) -> TextLine:
    owners = (of_all,) if of_all is not None else (" of ", *listed(labels, limit=OWNERS_NAMED))
    names = listed([(title,) for title in titles], limit=len(titles))
    return line(*names, *owners, ": not defined, ", Prose(reason), tone=Tone.QUIET)


def _of_all(rows: int, noun: str) -> str:
    return "" if rows == 1 else f" of all {counted(rows, noun)}"
