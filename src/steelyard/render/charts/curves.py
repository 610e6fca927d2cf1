"""Draw pass@k over k; the numbers are computed in `analysis/curves.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steelyard.model.estimate import Target
from steelyard.model.report import AtK, Curves, Report
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.plot import Frame, Point, band, line, numbered, plot, plotted, vertical_shifts
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import AxisScale, logarithmic, shares
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects
from steelyard.render.numbers import in_percent, interval_for, level
from steelyard.render.words import counted

MOST_CURVES = 8
FEWEST_KS = 2
LABEL_OFFSET = 26  # pixels from the end of a curve to its number


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """pass@k of one subject for one k, with its interval for new cases."""

    k: int
    value: float
    low: float
    high: float

    @classmethod
    def of(cls, at: AtK) -> "CurvePoint":
        """Return the point of an estimate."""
        interval = interval_for(Target.NEW_CASES, at.estimate)
        low, high = (interval.low, interval.high) if interval else (None, None)
        return cls(k=at.k, value=at.estimate.value or 0.0, low=low or 0.0, high=high or 0.0)


def curves(data: tuple[Report, Curves]) -> Markup | None:
    """Return the curves of the best subjects; None if there is only one k."""
    report, points = data
    best = ranked_subjects(report)[:MOST_CURVES]
    by_number = {ranked.number: [CurvePoint.of(at) for at in points.get(ranked.key, ())] for ranked in best}
    drawn = [ranked for ranked in best if len(by_number[ranked.number]) >= FEWEST_KS]
    if not drawn:
        return None
    largest = max(by_number[ranked.number][-1].k for ranked in drawn)
    frame = Frame(
        x=_k_axis(largest),
        y=_rate_axis(drawn, by_number),
        x_title="k: samples of a case",
        y_title="pass@k",
    )
    ends = [
        frame.place(by_number[ranked.number][-1].k, by_number[ranked.number][-1].value) for ranked in drawn
    ]
    shifts = vertical_shifts(ends)
    picture = plot(
        frame,
        f"pass@k of {counted(len(drawn), 'subject')} for k from 1 to {largest}, as listed below",
        lines=[
            mark
            for ranked in drawn
            for mark in _curve(by_number[ranked.number], ranked, frame, banded=_has_band(ranked, len(drawn)))
        ],
        points=[
            numbered(
                ranked,
                end,
                title=f"pass@{by_number[ranked.number][-1].k} {rate(by_number[ranked.number][-1].value)}",
                shift=(LABEL_OFFSET, down),
            )
            for ranked, end, down in zip(drawn, ends, shifts, strict=True)
        ],
        margin=True,
    )
    entries = ((ranked, _endpoints(by_number[ranked.number])) for ranked in drawn)
    return plotted(picture, entries, _caption(report, drawn))


def _k_axis(largest: int) -> Axis:
    ticks = [k for k in logarithmic([1, largest]).ticks if k <= largest]
    shown = (*(k for k in ticks if k < largest / 1.3), float(largest))
    return Axis(scale=AxisScale(low=1, high=largest, ticks=shown, is_log=True), written="{:.0f}".format)


def _has_band(ranked: RankedSubject, drawn: int) -> bool:
    return drawn == 1 or ranked.number <= FEWEST_KS


def _rate_axis(drawn: Sequence[RankedSubject], by_number: Mapping[int, Sequence[CurvePoint]]) -> Axis:
    heights = [point.value for ranked in drawn for point in by_number[ranked.number]]
    for ranked in drawn:
        if _has_band(ranked, len(drawn)):
            heights += [end for point in by_number[ranked.number] for end in (point.low, point.high)]
    return Axis(scale=shares(heights), written=in_percent)


def _curve(
    values: Sequence[CurvePoint], ranked: RankedSubject, frame: Frame, *, banded: bool
) -> list[Markup]:
    def through(heights: Sequence[float]) -> list[Point]:
        return [frame.place(point.k, height) for point, height in zip(values, heights, strict=True)]

    around = band(
        through([point.low for point in values]), through([point.high for point in values]), ranked.colour
    )
    drawn = line(through([point.value for point in values]), ranked.colour)
    return [around, drawn] if banded else [drawn]


def _endpoints(values: Sequence[CurvePoint]) -> str:
    first, last = values[0], values[-1]
    return f"{rate(first.value)} at k = {first.k}, {rate(last.value)} at k = {last.k}"


def _caption(report: Report, drawn: Sequence[RankedSubject]) -> str:
    banded = "the first two" if len(drawn) > FEWEST_KS else "each" if len(drawn) == FEWEST_KS else "it"
    left_out = len(report.subjects) - len(drawn)
    more = f" Not drawn: {counted(left_out, 'subject')}." if left_out else ""
    of_level = level(report.settings.level)
    return (
        "The chance that at least one of k samples of a case passes, mean over cases. "
        f"The band around {banded} is the {of_level} interval for new cases of the same kind.{more}"
    )
