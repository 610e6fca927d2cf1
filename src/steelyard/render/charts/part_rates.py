"""Draw the pass rates of the subjects over a part of a run, best first, as the report draws them."""

from collections.abc import Callable, Sequence

from steelyard.model.state import SubjectKey
from steelyard.model.units import MICROSECONDS, NANO_USD
from steelyard.model.viewing import PartRate
from steelyard.render.charts.markup import Content, Markup, joined
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.charts.scale import shares
from steelyard.render.numbers import UNDEFINED, in_percent, known_cost, seconds

MOST = 40
HEADS = (
    Head(title="pass rate"),
    Head(title="interval", is_wide=True),
    Head(title="samples", is_wide=True),
    Head(title="errors", is_wide=True),
    Head(title="cost", is_wide=True),
    Head(title="latency (s)", is_wide=True),
)


def part_rates(
    parts: Sequence[PartRate], label: Callable[[SubjectKey], Content], *, picked: bool
) -> Markup | None:
    """Return the subjects by pass rate, or nothing where none is known yet."""
    known = sorted((one for one in parts if one.rate is not None), key=lambda one: -(one.rate or 0.0))
    if not known:
        return None
    ends = [end for one in known[:MOST] for end in (one.low, one.high, one.rate) if end is not None]
    axis = Axis(scale=shares(ends), written=in_percent)
    rows = [
        Row(name=label(one.subject) if one.subject else "all", marks=_marks(one, axis), cells=_cells(one))
        for one in known[:MOST]
    ]
    entries = (
        (swatch(dot(0.5, "point")), "mean over cases"),
        (swatch(bar(0, 1, "pale", height=10)), "95 % interval on other cases like these"),
    )
    note = (
        " This part was chosen after looking: its rates and intervals describe it, and do not generalise."
        if picked
        else None
    )
    more = f" {len(known) - MOST:,} more subjects are not drawn." if len(known) > MOST else None
    return row_chart(joined(legend(*entries), note, more), axis, rows, heads=HEADS, name="subject")


def _marks(one: PartRate, axis: Axis) -> list[Markup]:
    marks = []
    if one.low is not None and one.high is not None:
        marks.append(bar(axis.scale.share(one.low), axis.scale.share(one.high), "pale", height=10))
    return [*marks, dot(axis.scale.share(one.rate or 0.0), "point", says=rate(one.rate or 0.0))]


def _cells(one: PartRate) -> tuple[Content, ...]:
    sums = one.sums
    interval = UNDEFINED if one.low is None or one.high is None else f"{rate(one.low)} to {rate(one.high)}"
    cost = known_cost(sums.cost_nano_usd / NANO_USD if sums.priced else None, unpriced=sums.unpriced)
    latency = seconds(sums.latency_us / sums.timed / MICROSECONDS) if sums.timed else UNDEFINED
    return (rate(one.rate or 0.0), interval, f"{sums.n:,}", f"{sums.errors:,}", cost, latency)
