"""Draw differences with their intervals around the line of no change."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from steelyard.model.estimate import Interval
from steelyard.render.charts.markup import Content, Markup
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, row_chart, upright
from steelyard.render.charts.scale import AxisScale, linear
from steelyard.render.numbers import bounds, points


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A difference, in score units; `again` is its interval on a re-run, beside that on new cases."""

    name: Content
    value: float
    interval: Interval | None = None
    again: Interval | None = None
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What differences are measured in, and how they are written."""

    name: str
    written: Callable[[float], str]


IN_POINTS = Unit(name="points", written=points)


def forest(
    caption: Content,
    effects: Sequence[Effect],
    *,
    name: str,
    unit: Unit = IN_POINTS,
    limit: float | None = None,
) -> Markup:
    """Return one row for each difference, the values beside it; `limit` is drawn through all rows."""
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


def _cells(effect: Effect, written: Callable[[float], str]) -> tuple[str, str]:
    return written(effect.value), bounds(effect.again or effect.interval, written)


def _limit(limit: float | None, scale: AxisScale) -> list[Markup]:
    return [] if limit is None else [upright(scale.share(limit), "limit", half=14)]


def _extremes(effects: Sequence[Effect]) -> Iterable[float]:
    for effect in effects:
        yield effect.value
        for result in (effect.interval, effect.again):
            if result is not None:
                yield from (end for end in (result.low, result.high) if end is not None)


def _marks(effect: Effect, scale: AxisScale, written: Callable[[float], str]) -> list[Markup]:
    kind = "worse" if effect.value < 0 else "better"
    drawn = [upright(scale.share(0), "zero", half=14)]
    for result, shade, height in ((effect.interval, "pale", 10), (effect.again, "dark", 4)):
        if result is not None and result.low is not None and result.high is not None:
            ends = scale.share(result.low), scale.share(result.high)
            drawn.append(bar(*ends, f"{shade} {kind}", height=height, says=bounds(result, written)))
    radius = 7 if effect.is_total else 5
    says = written(effect.value)
    return [*drawn, dot(scale.share(effect.value), f"point {kind}", radius=radius, says=says)]
