"""Draw the attempts of a case as a strip: one square each, its shape and colour say how it ended."""

from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

from steelyard.model.outcome import Classification
from steelyard.model.viewing import Attempt
from steelyard.render.charts.markup import Markup
from steelyard.render.words import KIND_OF_FAILURE

PENDING = "pending"
SIGNS = {
    "pass": "✓",
    "fail": "✕",
    "build_error": "B",
    "timeout": "T",
    "crash": "C",
    "refusal": "R",
    "wrong_format": "F",
    "policy_violation": "P",
    "error": "!",
    PENDING: "·",
}


def ending(kind: str | None) -> str:
    """Return how an attempt ended, in words.

    >>> ending("pass"), ending("error"), ending(None)
    ('passed', 'infrastructure error', 'not checked yet')
    """
    if kind is None:
        return "not checked yet"
    if kind in {"pass", "error"}:
        return {"pass": "passed", "error": "infrastructure error"}[kind]
    return KIND_OF_FAILURE[Classification(kind)] if kind in SIGNS else kind


def strip(attempts: Sequence[Attempt], *, most: int, total: int) -> Markup:
    """Return the strip of some attempts, and how many more there are."""
    shown = attempts[:most]
    squares = "".join(f'<i class="{_kind(item)}">{SIGNS[_kind(item)[2:]]}</i>' for item in shown)
    more = f'<b class="quiet">+{total - len(shown):,}</b>' if total > len(shown) else ""
    text = ", ".join(
        f"{number} {ending(kind)}" for kind, number in Counter(attempt.kind for attempt in attempts).items()
    )
    return Markup(
        f'<span class="strip" role="img" aria-label="{escape(text or "no attempt")}">{squares}{more}</span>'
    )


def linked_strip(
    attempts: Sequence[Attempt], link: Callable[[int], str], *, current: int | None = None
) -> Markup:
    """Return the strip of a case with a link from each square to its sample."""
    squares = "".join(
        f'<a class="{_kind(attempt)}" href="{escape(link(attempt.number))}" '
        f"{'aria-current=true ' if attempt.number == current else ''}"
        f'title="{_said(attempt)}" aria-label="{_said(attempt)}">'
        f"{SIGNS[_kind(attempt)[2:]]}</a>"
        for attempt in attempts
    )
    return Markup(f'<span class="strip">{squares}</span>')


def _said(attempt: Attempt) -> str:
    return escape(f"attempt {attempt.number}: {ending(attempt.kind)}")


def _kind(attempt: Attempt) -> str:
    """Return the class of a square; a kind that this version does not know looks like one that is pending."""
    return f"k-{attempt.kind if attempt.kind in SIGNS else PENDING}"
