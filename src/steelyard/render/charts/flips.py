"""Draw the scores of single cases before and after."""

from collections.abc import Callable, Sequence

from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import case_fragment, named
from steelyard.render.charts.rows import SHARE_AXIS, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.document.comparison import noise, pair_labels
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.numbers import share, step
from steelyard.render.words import counted

MOST = 100
UNFOLDED = 10  # further cases are folded

Below = Callable[[ScoreChange], Content]


def nothing_below(_: ScoreChange) -> None:
    """Add nothing below the row of a case."""


def regressions(comparison: Comparison, below: Below = nothing_below) -> Markup | None:
    """Return a row for each case that fell, the largest drop first; None if none did."""
    return _flips(comparison, comparison.regressions, below)


def improvements(comparison: Comparison, below: Below = nothing_below) -> Markup | None:
    """Return a row for each case that rose, the largest rise first; None if none did."""
    return _flips(comparison, comparison.improvements, below)


def _flips(comparison: Comparison, changes: Sequence[ScoreChange], below: Below) -> Markup | None:
    """Fold all but the first cases, to keep the next section within reach."""
    if not changes:
        return None
    first, others = changes[:UNFOLDED], changes[UNFOLDED:MOST]
    entries = legend(
        (swatch(dot(0.5, "hollow-point")), "baseline"),
        (swatch(dot(0.5, f"point {_kind(changes[0])}")), "current"),
    )
    left_out = len(changes) - MOST
    more = f"And {counted(left_out, 'more case')}; --format json has all of them." if left_out > 0 else ""
    if not others:
        return _chart(comparison, first, below, entries)
    summary = tag("summary", f"{counted(len(others), 'more case')}")
    rest = tag("details", summary, _chart(comparison, others, below, more))
    return joined(_chart(comparison, first, below, entries), rest)


def _chart(comparison: Comparison, changes: Sequence[ScoreChange], below: Below, caption: Content) -> Markup:
    labels = pair_labels(comparison)
    # Comparisons written by earlier versions do not test improvements.
    is_tested = any(change.delta < 0 or change.p_rise is not None for change in changes)
    heads = (
        Head(title="scores", is_wide=True),
        Head(title="change"),
        *((Head(title="noise?", is_number=False, is_wide=True),) if is_tested else ()),
    )
    rows = [
        Row(
            name=_name(change, labels),
            marks=_marks(change),
            cells=_cells(change, comparison.threshold)[: len(heads)],
            below=below(change),
            id=case_fragment(change),
        )
        for change in changes
    ]
    return row_chart(caption, SHARE_AXIS, rows, heads=heads, name="case")


def _name(change: ScoreChange, labels: PairLabels) -> Content:
    subject = [named(change.model)] if labels.has_models else []
    subject += [named(change.tier)] if labels.has_tiers else []
    return joined(
        named(change.case),
        tag("span", *(joined(" ", part) for part in subject), class_="tier") if subject else None,
    )


def _marks(change: ScoreChange) -> list[Markup]:
    low, high = sorted((change.baseline_score, change.current_score))
    return [
        bar(low, high, f"dark {_kind(change)}", height=3),
        dot(change.baseline_score, "hollow-point", radius=4),
        dot(change.current_score, f"point {_kind(change)}"),
    ]


def _cells(change: ScoreChange, threshold: float) -> tuple[Content, ...]:
    moved = f"{share(change.baseline_score)} → {share(change.current_score)}"
    return moved, step(change.delta, beyond=threshold), noise(change)


def _kind(change: ScoreChange) -> str:
    return "worse" if change.delta < 0 else "better"
