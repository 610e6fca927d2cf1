"""Draw the attempts of a case as a strip of squares; colour and sign show the outcome."""

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


def outcome_text(kind: str | None) -> str:
    """Return an attempt's outcome for display.

    >>> outcome_text("pass"), outcome_text("error"), outcome_text(None)
    ('passed', 'infrastructure error', 'not checked yet')
    """
    if kind is None:
        return "not checked yet"
    if kind in {"pass", "error"}:
        return {"pass": "passed", "error": "infrastructure error"}[kind]
    return KIND_OF_FAILURE[Classification(kind)] if kind in SIGNS else kind


def strip(attempts: Sequence[Attempt], *, most: int, total: int) -> Markup:
    """Return at most `most` squares, and the number of further attempts."""
    shown = attempts[:most]
    squares = "".join(f'<i class="{_class(attempt)}">{SIGNS[_class(attempt)[2:]]}</i>' for attempt in shown)
    more = f'<b class="quiet">+{total - len(shown):,}</b>' if total > len(shown) else ""
    text = ", ".join(
        f"{number} {outcome_text(kind)}"
        for kind, number in Counter(attempt.kind for attempt in attempts).items()
    )
    return Markup(
        f'<span class="strip" role="img" aria-label="{escape(text or "no attempt")}">{squares}{more}</span>'
    )


def linked_strip(
    attempts: Sequence[Attempt], link: Callable[[int], str], *, current: int | None = None
) -> Markup:
    """Return a strip whose squares link to their samples."""
    squares = "".join(
        f'<a class="{_class(attempt)}" href="{escape(link(attempt.number))}" '
        f"{'aria-current=true ' if attempt.number == current else ''}"
        f'title="{_title(attempt)}" aria-label="{_title(attempt)}">'
        f"{SIGNS[_class(attempt)[2:]]}</a>"
        for attempt in attempts
    )
    return Markup(f'<span class="strip">{squares}</span>')


def _title(attempt: Attempt) -> str:
    return escape(f"attempt {attempt.number}: {outcome_text(attempt.kind)}")


def _class(attempt: Attempt) -> str:
    """Return the CSS class of a square; unknown kinds are shown as pending."""
    return f"k-{attempt.kind if attempt.kind in SIGNS else PENDING}"
