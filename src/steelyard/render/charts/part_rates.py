"""Draw the pass rates of the subjects over a selection of cases, best first."""

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
    """Return the subjects by pass rate; None while no rate is known."""
    rates = sorted((part for part in parts if part.rate is not None), key=lambda part: -(part.rate or 0.0))
    if not rates:
        return None
    ends = [end for part in rates[:MOST] for end in (part.low, part.high, part.rate) if end is not None]
    axis = Axis(scale=shares(ends), written=in_percent)
    rows = [
        Row(name=label(part.subject) if part.subject else "all", marks=_marks(part, axis), cells=_cells(part))
        for part in rates[:MOST]
    ]
    entries = (
        (swatch(dot(0.5, "point")), "mean over cases"),
        (swatch(bar(0, 1, "pale", height=10)), "95 % interval for new cases of the same kind"),
    )
    note = (
        " These cases were selected after the fact: their rates and intervals do not generalise."
        if picked
        else None
    )
    more = f" {len(rates) - MOST:,} more subjects are not shown." if len(rates) > MOST else None
    return row_chart(joined(legend(*entries), note, more), axis, rows, heads=HEADS, name="subject")


def _marks(part_rate: PartRate, axis: Axis) -> list[Markup]:
    marks = []
    if part_rate.low is not None and part_rate.high is not None:
        marks.append(
            bar(axis.scale.share(part_rate.low), axis.scale.share(part_rate.high), "pale", height=10)
        )
    return [*marks, dot(axis.scale.share(part_rate.rate or 0.0), "point", title=rate(part_rate.rate or 0.0))]


def _cells(part_rate: PartRate) -> tuple[Content, ...]:
    sums = part_rate.sums
    interval = (
        UNDEFINED
        if part_rate.low is None or part_rate.high is None
        else f"{rate(part_rate.low)} to {rate(part_rate.high)}"
    )
    cost = known_cost(sums.cost_nano_usd / NANO_USD if sums.priced else None, unpriced=sums.unpriced)
    latency = seconds(sums.latency_us / sums.timed / MICROSECONDS) if sums.timed else UNDEFINED
    return (rate(part_rate.rate or 0.0), interval, f"{sums.n:,}", f"{sums.errors:,}", cost, latency)
