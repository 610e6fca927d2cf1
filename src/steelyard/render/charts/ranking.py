"""Draw the pass rates of the subjects with their intervals, best first."""

from collections.abc import Iterator, Sequence

from steelyard.model.estimate import Target
from steelyard.model.report import Report
from steelyard.render import numbers
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.rows import Axis, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.charts.scale import AxisScale, shares
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects, rate_title
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import in_percent, level
from steelyard.render.words import counted

MOST = 40

BARS = {Target.NEW_CASES: ("pale", 10), Target.RERUN: ("dark", 4)}


def ranking(report: Report) -> Markup | None:
    """Return the subjects by pass rate with both intervals; None if no rate is known."""
    subjects = [ranked for ranked in ranked_subjects(report) if ranked.rate.value is not None]
    if not subjects:
        return None
    heads = (Head(title=rate_title(report)), Head(title="interval", is_wide=True), *_rank_heads(subjects))
    has_ranks = len(heads) > 2  # noqa: PLR2004 - the two above
    scale = shares(_extremes(subjects))
    rows = [
        Row(
            name=joined(ranked.label, _best(ranked)),
            marks=_marks(ranked, scale),
            cells=_cells(ranked, has_ranks=has_ranks),
        )
        for ranked in subjects[:MOST]
    ]
    axis = Axis(scale=scale, written=in_percent)
    return row_chart(_caption(report, subjects), axis, rows, heads=heads, name=Labels.of(report).noun)


def rate(value: float) -> str:
    """Format a rate for a figure; only exact values are shown as 0 % or 100 %.

    >>> rate(0.7712), rate(0.9999), rate(1.0)
    ('77.1 %', '>99.9 %', '100 %')
    """
    if value in {0.0, 1.0}:
        return in_percent(value)
    written = f"{100 * value:.1f} %"
    return {"0.0 %": "<0.1 %", "100.0 %": ">99.9 %"}.get(written, written)


def _rank_heads(subjects: Sequence[RankedSubject]) -> tuple[Head, ...]:
    has_ranks = any(ranked.subject.standing for ranked in subjects)
    return (Head(title="rank", is_wide=True),) if has_ranks else ()


def _extremes(subjects: Sequence[RankedSubject]) -> Iterator[float]:
    for ranked in subjects[:MOST]:
        yield ranked.rate.value or 0.0
        for interval in map(ranked.interval, Target):
            if interval is not None:
                yield from (end for end in (interval.low, interval.high) if end is not None)


def _marks(ranked: RankedSubject, scale: AxisScale) -> list[Markup]:
    marks = []
    for target, (kind, height) in BARS.items():
        interval = ranked.interval(target)
        if interval is not None and interval.low is not None and interval.high is not None:
            span = numbers.span(interval)
            marks.append(
                bar(
                    scale.share(interval.low),
                    scale.share(interval.high),
                    kind,
                    height=height,
                    title=f"{span}, {_target_text(target)}",
                )
            )
    value = ranked.rate.value or 0.0
    return [*marks, dot(scale.share(value), "point", title=rate(value))]


def _cells(ranked: RankedSubject, *, has_ranks: bool) -> tuple[Content, ...]:
    new_cases = ranked.interval(Target.NEW_CASES)
    cells: tuple[Content, ...] = (rate(ranked.rate.value or 0.0), numbers.span(new_cases))
    return (*cells, _rank(ranked)) if has_ranks else cells


def _rank(ranked: RankedSubject) -> str:
    standing = ranked.subject.standing
    if standing is None:
        return numbers.UNDEFINED
    low, high = standing.rank_low, standing.rank_high
    return str(low) if low == high else f"{low}{numbers.RANGE}{high}"


def _best(ranked: RankedSubject) -> Markup | None:
    standing = ranked.subject.standing
    return (
        joined(" ", tag("span", "may be best", class_="flag")) if standing and standing.in_top_set else None
    )


def _target_text(target: Target) -> str:
    return "for new cases of the same kind" if target is Target.NEW_CASES else "for these cases resampled"


def _caption(report: Report, subjects: Sequence[RankedSubject]) -> Markup:
    of_level = level(report.settings.level)
    present = {target for ranked in subjects for target in Target if ranked.interval(target)}
    words = {
        Target.NEW_CASES: f"{of_level} interval for new cases of the same kind",
        Target.RERUN: f"{of_level} interval for these cases resampled",
    }
    entries = [
        (swatch(dot(0.5, "point")), rate_title(report)),
        *(
            (swatch(bar(0, 1, kind, height=height)), words[target])
            for target, (kind, height) in BARS.items()
            if target in present
        ),
    ]
    left_out = len(subjects) - MOST
    more = f" {counted(left_out, 'more row')} in the table below." if left_out > 0 else None
    ranks = any(ranked.subject.standing for ranked in subjects)
    ranked = " Rank: the range of ranks plausible for new cases of the same kind." if ranks else None
    return joined(legend(*entries), ranked, more)
