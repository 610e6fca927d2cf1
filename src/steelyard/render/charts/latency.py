"""Draw the latency of each subject: range, median, p95 and mean."""

from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, legend, row_chart, swatch, vertical
from steelyard.render.charts.scale import AxisScale, linear, logarithmic
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import estimated, or_undefined, seconds

MOST = 40
LOG_FROM = 20  # ratio of the slowest to the fastest that makes the axis logarithmic


def latency(report: Report) -> Markup | None:
    """Return latencies in seconds; None if none was measured."""
    known = [ranked for ranked in ranked_subjects(report) if ranked.subject.mean_latency_s.value is not None][
        :MOST
    ]
    if not known:
        return None
    scale = _scale([value for ranked in known for value in _values(ranked)])
    rows = [
        Row(
            name=ranked.label,
            marks=_marks(ranked, scale),
            cells=(
                or_undefined(ranked.subject.spreads.latency_s.median, seconds),
                estimated(ranked.subject.latency_p95_s, seconds),
                or_undefined(ranked.subject.mean_latency_s.value, seconds),
            ),
        )
        for ranked in known
    ]
    entries = [
        (swatch(bar(0, 1, "dark", height=4)), "fastest to slowest"),
        (swatch(vertical(0.5, "tick")), "median"),
        (swatch(vertical(0.5, "tick", half=4)), "p95"),
        (swatch(dot(0.5, "point")), "mean"),
    ]
    has_spread = any(ranked.subject.spreads.latency_s.count for ranked in known)
    known_entries = entries if has_spread else entries[-1:]
    note = " Log scale." if scale.is_log else ""
    return row_chart(
        joined(legend(*known_entries), f" Seconds per answer.{note}"),
        Axis(scale=scale, written=lambda value: f"{value:g} s"),
        rows,
        heads=(
            Head(title="median (s)", is_wide=True),
            Head(title="p95 (s)", is_wide=True),
            Head(title="mean (s)"),
        ),
        name=Labels.of(report).noun,
    )


def _values(ranked: RankedSubject) -> list[float]:
    spread = ranked.subject.spreads.latency_s
    values = (ranked.subject.mean_latency_s.value, spread.min, spread.max, spread.median)
    return [value for value in values if value is not None]


def _scale(values: list[float]) -> AxisScale:
    is_wide = min(values) > 0 and max(values) > LOG_FROM * min(values)
    return logarithmic(values) if is_wide else linear(values, include=0)


def _marks(ranked: RankedSubject, scale: AxisScale) -> list[Markup]:
    spread, mean = ranked.subject.spreads.latency_s, ranked.subject.mean_latency_s.value
    marks = []
    if spread.min is not None and spread.max is not None:
        text = f"{seconds(spread.min)} to {seconds(spread.max)} s"
        marks.append(bar(scale.share(spread.min), scale.share(spread.max), "dark", height=4, title=text))
    if spread.median is not None:
        marks.append(vertical(scale.share(spread.median), "tick"))
    p95 = ranked.subject.latency_p95_s
    if p95 is not None and p95.value is not None:
        marks.append(vertical(scale.share(p95.value), "tick", half=4))
    return [
        *marks,
        *([dot(scale.share(mean), "point", title=f"{seconds(mean)} s")] if mean is not None else []),
    ]
