"""Draw how long answers take: from the quickest to the slowest, with the median and the mean."""

from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined
from steelyard.render.charts.order import Place, places
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, legend, row_chart, swatch, upright
from steelyard.render.charts.scale import Scale, linear, logarithmic
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import estimated, or_undefined, seconds

MOST = 40
WIDE = 20  # the ratio of the slowest to the quickest from which on the axis shows ratios


def latency(report: Report) -> Markup | None:
    """Return the times of each subject in seconds, or nothing where nobody measured any."""
    known = [place for place in places(report) if place.subject.mean_latency_s.value is not None][:MOST]
    if not known:
        return None
    scale = _scale([value for place in known for value in _values(place)])
    rows = [
        Row(
            name=joined(place.badge, " ", place.name),
            marks=_marks(place, scale),
            cells=(
                or_undefined(place.subject.spreads.latency_s.median, seconds),
                estimated(place.subject.latency_p95_s, seconds),
                or_undefined(place.subject.mean_latency_s.value, seconds),
            ),
        )
        for place in known
    ]
    entries = [
        (swatch(bar(0, 1, "dark", height=4)), "quickest to slowest"),
        (swatch(upright(0.5, "tick")), "median"),
        (swatch(upright(0.5, "tick", half=4)), "p95: 19 of 20 are quicker"),
        (swatch(dot(0.5, "point")), "mean"),
    ]
    has_spread = any(place.subject.spreads.latency_s.count for place in known)
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


def _values(place: Place) -> list[float]:
    spread = place.subject.spreads.latency_s
    found = (place.subject.mean_latency_s.value, spread.min, spread.max, spread.median)
    return [value for value in found if value is not None]


def _scale(values: list[float]) -> Scale:
    is_wide = min(values) > 0 and max(values) > WIDE * min(values)
    return logarithmic(values) if is_wide else linear(values, include=0)


def _marks(place: Place, scale: Scale) -> list[Markup]:
    spread, mean = place.subject.spreads.latency_s, place.subject.mean_latency_s.value
    drawn = []
    if spread.min is not None and spread.max is not None:
        said = f"{seconds(spread.min)} to {seconds(spread.max)} s"
        drawn.append(bar(scale.share(spread.min), scale.share(spread.max), "dark", height=4, says=said))
    if spread.median is not None:
        drawn.append(upright(scale.share(spread.median), "tick"))
    late = place.subject.latency_p95_s
    if late is not None and late.value is not None:
        drawn.append(upright(scale.share(late.value), "tick", half=4))
    return [
        *drawn,
        *([dot(scale.share(mean), "point", says=f"{seconds(mean)} s")] if mean is not None else []),
    ]
