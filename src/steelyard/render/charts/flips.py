"""Draw how the score of single cases moved from the baseline to the current report."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.charts.rows import SHARE_AXIS, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.document.comparison import noise, pair_labels
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.numbers import share, step
from steelyard.render.words import counted

MOST = 100


def regressions(comparison: Comparison) -> Markup | None:
    """Return a row for each case that fell, the largest move first, or nothing if none did."""
    return _flips(comparison, comparison.regressions)


def improvements(comparison: Comparison) -> Markup | None:
    """Return a row for each case that rose, the largest move first, or nothing if none did."""
    return _flips(comparison, comparison.improvements)


def _flips(comparison: Comparison, changes: Sequence[ScoreChange]) -> Markup | None:
    if not changes:
        return None
    labels = pair_labels(comparison)
    is_drop = changes[0].delta < 0
    heads = (
        Head(title="scores", is_wide=True),
        Head(title="change"),
        *((Head(title="noise?", is_number=False, is_wide=True),) if is_drop else ()),
    )
    rows = [
        Row(
            name=_name(change, labels),
            marks=_marks(change),
            cells=_cells(change, comparison.threshold)[: len(heads)],
        )
        for change in changes[:MOST]
    ]
    entries = legend(
        (swatch(dot(0.5, "hollow-point")), "baseline"),
        (swatch(dot(0.5, f"point {_kind(changes[0])}")), "current"),
    )
    left_out = len(changes) - MOST
    more = f" And {counted(left_out, 'more case')}; --format json has all of them." if left_out > 0 else None
    return row_chart(joined(entries, more), SHARE_AXIS, rows, heads=heads, name="case")


def _name(change: ScoreChange, labels: PairLabels) -> Content:
    whose = [named(change.model)] if labels.has_models else []
    whose += [named(change.tier)] if labels.has_tiers else []
    return joined(
        named(change.case),
        tag("span", *(joined(" ", one) for one in whose), class_="tier") if whose else None,
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
