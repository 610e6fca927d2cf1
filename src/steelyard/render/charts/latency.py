"""Draw how long answers take: from the quickest to the slowest, with the median and the mean."""

from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, legend, row_chart, swatch, upright
from steelyard.render.charts.scale import AxisScale, linear, logarithmic
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import estimated, or_undefined, seconds

MOST = 40
WIDE = 20  # the ratio of the slowest to the quickest from which on the axis shows ratios


def latency(report: Report) -> Markup | None:
    """Return the times of each subject in seconds, or nothing where none was measured."""
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
        (swatch(bar(0, 1, "dark", height=4)), "quickest to slowest"),
        (swatch(upright(0.5, "tick")), "median"),
        (swatch(upright(0.5, "tick", half=4)), "p95: 19 of 20 are quicker"),
        (swatch(dot(0.5, "point")), "mean"),
    ]
    has_spread = any(ranked.subject.spreads.latency_s.count for ranked in known)
    shown = entries if has_spread else entries[-1:]
    ratios = " The axis is in equal ratios." if scale.is_log else ""
    return row_chart(
        joined(legend(*shown), f" Seconds for an answer.{ratios}"),
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
    result = (ranked.subject.mean_latency_s.value, spread.min, spread.max, spread.median)
    return [value for value in result if value is not None]


def _scale(values: list[float]) -> AxisScale:
    is_wide = min(values) > 0 and max(values) > WIDE * min(values)
    return logarithmic(values) if is_wide else linear(values, include=0)


def _marks(ranked: RankedSubject, scale: AxisScale) -> list[Markup]:
    spread, mean = ranked.subject.spreads.latency_s, ranked.subject.mean_latency_s.value
    drawn = []
    if spread.min is not None and spread.max is not None:
        text = f"{seconds(spread.min)} to {seconds(spread.max)} s"
        drawn.append(bar(scale.share(spread.min), scale.share(spread.max), "dark", height=4, title=text))
    if spread.median is not None:
        drawn.append(upright(scale.share(spread.median), "tick"))
    late = ranked.subject.latency_p95_s
    if late is not None and late.value is not None:
        drawn.append(upright(scale.share(late.value), "tick", half=4))
    return [
        *drawn,
        *([dot(scale.share(mean), "point", title=f"{seconds(mean)} s")] if mean is not None else []),
    ]
