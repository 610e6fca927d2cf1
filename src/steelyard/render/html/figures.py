"""Draw the figures of a document."""

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.render.charts.carried import carried_by
from steelyard.render.charts.curves import curves
from steelyard.render.charts.effects import plausible_drops, subject_changes, suite_changes, uplift
from steelyard.render.charts.flips import improvements, regressions
from steelyard.render.charts.front import front
from steelyard.render.charts.heat import heat_map
from steelyard.render.charts.history import rates_through_time
from steelyard.render.charts.latency import latency
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.ranking import ranking
from steelyard.render.charts.stacks import failure_kinds, steadiness
from steelyard.render.document.blocks import Figure, FigureKind

CHARTS: Mapping[FigureKind, Callable[[Any], Markup | None]] = {
    FigureKind.RANKING: ranking,
    FigureKind.PASS_AT_K: curves,
    FigureKind.COST: front,
    FigureKind.SUITES: heat_map,
    FigureKind.UPLIFT: uplift,
    FigureKind.FAILURES: failure_kinds,
    FigureKind.STEADINESS: steadiness,
    FigureKind.LATENCY: latency,
    FigureKind.SUBJECT_CHANGES: subject_changes,
    FigureKind.SUITE_CHANGES: suite_changes,
    FigureKind.REGRESSIONS: regressions,
    FigureKind.IMPROVEMENTS: improvements,
    FigureKind.PLAUSIBLE_DROPS: plausible_drops,
    FigureKind.CARRIED_BY: carried_by,
    FigureKind.HISTORY: rates_through_time,
}


def draw(figure: Figure | None) -> Markup | None:
    """Return a figure as SVG; None if there is nothing to draw."""
    return CHARTS[figure.kind](figure.data) if figure else None
