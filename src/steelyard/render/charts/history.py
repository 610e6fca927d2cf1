"""Draw the pass rate of a subject across kept baselines."""

from steelyard.model.estimate import Target
from steelyard.model.history import HistoryEntry, SubjectHistory
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.names import pieces
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, row_chart
from steelyard.render.charts.scale import AxisScale, linear
from steelyard.render.document.blocks import Name
from steelyard.render.numbers import bounded_interval, estimated, in_percent, span


def rates_through_time(subject: SubjectHistory) -> Markup | None:
    """Return a row for each baseline, the oldest first; None without baselines."""
    if not subject.entries:
        return None
    scale = linear((0.0, 1.0), include=0.0)
    rows = [
        Row(
            name=pieces((Name(entry.name),)),
            marks=_marks(entry, scale),
            cells=(estimated(entry.pass_rate, rate),),
        )
        for entry in subject.entries
    ]
    caption = (
        "Pass rate of ",
        pieces((Name(subject.model), " in ", Name(subject.tier))),
        ", the oldest baseline first; the bar is the interval for a re-run.",
    )
    axis, heads = Axis(scale=scale, written=in_percent), (Head(title="pass rate"),)
    return row_chart(caption, axis, rows, heads=heads, name="baseline")


def _marks(entry: HistoryEntry, scale: AxisScale) -> list[Markup]:
    interval = bounded_interval(Target.RERUN, entry.pass_rate)
    marks = []
    if interval is not None and interval.low is not None and interval.high is not None:
        ends = scale.share(interval.low), scale.share(interval.high)
        marks.append(bar(*ends, "pale", height=10, title=span(interval)))
    value = entry.pass_rate.value
    return marks if value is None else [*marks, dot(scale.share(value), "point", radius=5, title=rate(value))]
