"""Draw differences with their intervals on both sides of zero."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from steelyard.model.estimate import Interval
from steelyard.render.charts.markup import Content, Markup
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, row_chart, swatch, vertical
from steelyard.render.charts.scale import AxisScale, linear
from steelyard.render.numbers import bounds, points


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A difference with its interval for new cases and, in `again`, for a re-run."""

    name: Content
    value: float
    interval: Interval | None = None
    again: Interval | None = None
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The unit of differences, and its number format."""

    name: str
    written: Callable[[float], str]


IN_POINTS = Unit(name="points", written=points)
BAR_HEIGHTS = {"pale": 10, "dark": 4}


def forest(
    caption: Content,
    effects: Sequence[Effect],
    *,
    name: str,
    unit: Unit = IN_POINTS,
    limit: float | None = None,
) -> Markup:
    """Return a row for each difference; `limit` is drawn through all rows."""
    scale = linear([*_extremes(effects), *(() if limit is None else (limit,))], include=0.0)
    is_bounded = any(effect.again or effect.interval for effect in effects)
    heads = (Head(title=unit.name), *((Head(title="interval", is_wide=True),) if is_bounded else ()))
    rows = [
        Row(
            name=effect.name,
            marks=[*_limit(limit, scale), *_marks(effect, scale, unit.written)],
            cells=_cells(effect, unit.written)[: len(heads)],
        )
        for effect in effects
    ]
    return row_chart(caption, Axis(scale=scale, written=unit.written), rows, heads=heads, name=name)


def effect_swatch(effects: Sequence[Effect], shade: str) -> Markup:
    """Return a legend's mark in the colours that the effects have; a `shade` of "point" is a dot."""
    kinds = sorted({_kind(effect) for effect in effects}, reverse=True)  # worse first
    width = 1 / len(kinds)
    if shade == "point":
        return swatch(*(dot((index + 0.5) * width, f"point {kind}") for index, kind in enumerate(kinds)))
    height = BAR_HEIGHTS[shade]
    return swatch(
        *(
            bar(index * width, (index + 1) * width, f"{shade} {kind}", height=height)
            for index, kind in enumerate(kinds)
        )
    )


def _cells(effect: Effect, written: Callable[[float], str]) -> tuple[str, str]:
    return written(effect.value), bounds(effect.again or effect.interval, written)


def _limit(limit: float | None, scale: AxisScale) -> list[Markup]:
    return [] if limit is None else [vertical(scale.share(limit), "limit", half=14)]


def _extremes(effects: Sequence[Effect]) -> Iterable[float]:
    for effect in effects:
        yield effect.value
        for interval in (effect.interval, effect.again):
            if interval is not None:
                yield from (end for end in (interval.low, interval.high) if end is not None)


def _marks(effect: Effect, scale: AxisScale, written: Callable[[float], str]) -> list[Markup]:
    kind = _kind(effect)
    marks = [vertical(scale.share(0), "zero", half=14)]
    for interval, shade in ((effect.interval, "pale"), (effect.again, "dark")):
        if interval is not None and interval.low is not None and interval.high is not None:
            ends = scale.share(interval.low), scale.share(interval.high)
            title = bounds(interval, written)
            marks.append(bar(*ends, f"{shade} {kind}", height=BAR_HEIGHTS[shade], title=title))
    radius = 7 if effect.is_total else 5
    title = written(effect.value)
    return [*marks, dot(scale.share(effect.value), f"point {kind}", radius=radius, title=title)]


def _kind(effect: Effect) -> str:
    return "worse" if effect.value < 0 else "better"
