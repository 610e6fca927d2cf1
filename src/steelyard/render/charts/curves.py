"""Draw pass@k over k, for every k that all cases have enough samples for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steelyard.metrics.cases import CaseCounts, MeanSums, pass_at_k_of_cases
from steelyard.metrics.intervals import mean_interval_of_sums
from steelyard.model.policy import Missing
from steelyard.model.report import CaseSummary, Report, Settings
from steelyard.render.charts.markup import Markup, tag
from steelyard.render.charts.order import Place, cases_by_subject, places
from steelyard.render.charts.plot import Frame, Point, apart, band, key, line, numbered, plot
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import Scale, logarithmic, shares
from steelyard.render.numbers import in_percent, level
from steelyard.render.words import counted

MOST_CURVES = 8
MOST_KS = 12
FEWEST_KS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThatK:
    """pass@k of one subject for one k, with its interval for new cases."""

    k: int
    value: float
    low: float
    high: float


def curves(report: Report) -> Markup | None:
    """Return the curves of the subjects that pass most often, or nothing where there is but one k."""
    if report.settings.stop_rule is not None:
        return None
    cases, first = cases_by_subject(report), places(report)[:MOST_CURVES]
    found = {place.number: curve(cases[place.key], report.settings) for place in first}
    drawn = [place for place in first if len(found[place.number]) >= FEWEST_KS]
    if not drawn:
        return None
    largest = max(found[place.number][-1].k for place in drawn)
    frame = Frame(
        x=_k_axis(largest),
        y=_rate_axis(drawn, found),
        x_title="k: samples drawn for a case",
        y_title="pass@k",
    )
    ends = [frame.place(found[place.number][-1].k, found[place.number][-1].value) for place in drawn]
    shifts = apart(ends)
    picture = plot(
        frame,
        f"pass@k of {counted(len(drawn), 'subject')} for k from 1 to {largest}, as told below",
        lines=[
            mark
            for place in drawn
            for mark in _curve(found[place.number], place, frame, banded=_has_band(place, len(drawn)))
        ],
        points=[
            numbered(
                place,
                end,
                says=f"pass@{found[place.number][-1].k} {rate(found[place.number][-1].value)}",
                shift=shift,
            )
            for place, end, shift in zip(drawn, ends, shifts, strict=True)
        ],
    )
    named = key((place, _said(found[place.number])) for place in drawn)
    return tag("figure", picture, named, tag("figcaption", _caption(report, drawn)), class_="plotted")


def curve(cases: Sequence[CaseSummary], settings: Settings) -> list[AtThatK]:
    """Return a subject's pass@k for some k from 1 to the number of samples that every case has."""
    kept = [case for case in cases if not case.missing]
    missing = len(cases) - len(kept) if settings.missing is Missing.FAIL else 0
    most = min((case.n for case in kept), default=0)
    return [_at(k, kept, missing, settings.level) for k in _ks(most, settings.pass_k)]


def _at(k: int, cases: Sequence[CaseSummary], missing: int, of_level: float) -> AtThatK:
    counts = CaseCounts.of(n=[case.n for case in cases], c=[case.c for case in cases])
    found = MeanSums.of(pass_at_k_of_cases(counts, k=k))
    # A missing case that counts as failed is a 0 among the values.
    sums = MeanSums(count=found.count + missing, total=found.total, total_sq=found.total_sq)
    interval = mean_interval_of_sums(sums, level=of_level)
    return AtThatK(
        k=k, value=float(sums.total / sums.count), low=interval.low or 0.0, high=interval.high or 0.0
    )


def _ks(most: int, wanted: Sequence[int]) -> list[int]:
    """Return every k, or where there are many, some in equal ratios and those that were asked for."""
    if most <= MOST_KS:
        return list(range(1, most + 1))
    steps = {round(most ** (step / (MOST_KS - 1))) for step in range(MOST_KS)}
    return sorted(steps | {k for k in wanted if k <= most})


def _k_axis(largest: int) -> Axis:
    ticks = [k for k in logarithmic([1, largest]).ticks if k <= largest]
    shown = (*(k for k in ticks if k < largest / 1.3), float(largest))
    return Axis(scale=Scale(low=1, high=largest, ticks=shown, is_log=True), written="{:.0f}".format)


def _has_band(place: Place, drawn: int) -> bool:
    return drawn == 1 or place.number <= FEWEST_KS


def _rate_axis(drawn: Sequence[Place], found: Mapping[int, Sequence[AtThatK]]) -> Axis:
    heights = [one.value for place in drawn for one in found[place.number]]
    for place in drawn:
        if _has_band(place, len(drawn)):
            heights += [end for one in found[place.number] for end in (one.low, one.high)]
    return Axis(scale=shares(heights), written=in_percent)


def _curve(values: Sequence[AtThatK], place: Place, frame: Frame, *, banded: bool) -> list[Markup]:
    def through(heights: Sequence[float]) -> list[Point]:
        return [frame.place(one.k, height) for one, height in zip(values, heights, strict=True)]

    around = band(through([one.low for one in values]), through([one.high for one in values]), place.colour)
    drawn = line(through([one.value for one in values]), place.colour)
    return [around, drawn] if banded else [drawn]


def _said(values: Sequence[AtThatK]) -> str:
    first, last = values[0], values[-1]
    return f"{rate(first.value)} at k = {first.k}, {rate(last.value)} at k = {last.k}"


def _caption(report: Report, drawn: Sequence[Place]) -> str:
    whose = "the first two" if len(drawn) > FEWEST_KS else "each" if len(drawn) == FEWEST_KS else "it"
    left_out = len(report.subjects) - len(drawn)
    more = f" Not drawn: {counted(left_out, 'subject')}." if left_out else ""
    of_level = level(report.settings.level)
    return (
        "The chance that at least one of k samples of a case passes, mean over cases. "
        f"The band around {whose} is the {of_level} interval on other cases like these.{more}"
    )
