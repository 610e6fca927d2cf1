"""Draw cost against quality, with the Pareto front of the subjects."""

from collections.abc import Iterator, Sequence

from steelyard.model.estimate import Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.plot import Frame, line, numbered, plot, plotted, vertical_shifts
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import linear, logarithmic, shares
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects, rate_title
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import in_percent, plain_usd, usd

FEWEST = 2
LOG_FROM = 10  # ratio of the highest to the lowest cost that makes the axis logarithmic
HALF = 0.5


def front(report: Report) -> Markup | None:
    """Return subjects by cost of a sample and pass rate; None if fewer than two have both."""
    known = {
        ranked.number: cost
        for ranked in ranked_subjects(report)
        if (cost := _cost_of_sample(report, ranked.subject)) is not None
    }
    shown = [
        ranked
        for ranked in ranked_subjects(report)
        if ranked.number in known and ranked.rate.value is not None
    ]
    if len(shown) < FEWEST:
        return None
    values = [known[ranked.number] for ranked in shown]
    is_wide = min(values) > 0 and max(values) > LOG_FROM * min(values)
    scale = logarithmic(values) if is_wide else linear(values, include=0)
    frame = Frame(
        x=Axis(scale=scale, written=plain_usd),
        y=Axis(scale=shares(_heights(shown)), written=in_percent),
        x_title="mean cost of a sample" + (", log scale" if is_wide else ""),
        y_title=rate_title(report),
    )
    spots = [frame.place(known[ranked.number], ranked.rate.value or 0.0) for ranked in shown]
    best = _front(shown, known)
    steps = [frame.place(x, y) for x, y in _steps(best, known)]
    picture = plot(
        frame,
        f"{rate_title(report)} against the cost of a sample; as listed below",
        lines=[line(steps, "front"), *_whiskers(shown, known, frame)],
        points=[
            numbered(
                ranked,
                spot,
                title=_point_text(ranked, known),
                hollow=not _is_on_front(ranked, best),
                shift=(0, down),
            )
            for ranked, spot, down in zip(shown, spots, vertical_shifts(spots), strict=True)
        ],
    )
    noun = Labels.of(report).noun
    caption = (
        f"Up and to the left is better. Filled: probably no other {noun} is both cheaper and better. "
        "The dashed line is the front on these cases; vertical lines are intervals for new cases of the same "
        "kind. A number that was moved aside is joined to its dot."
    )
    return plotted(picture, ((ranked, _point_text(ranked, known)) for ranked in shown), caption)


def _cost_of_sample(report: Report, subject: SubjectSummary) -> float | None:
    """Return the mean cost of a sample in US dollars, where all costs are known."""
    total, samples = subject.total_cost_usd.value, report.seen_samples_of(subject)
    return total / samples if total is not None and samples else None


def _front(shown: Sequence[RankedSubject], known: dict[int, float]) -> list[RankedSubject]:
    """Return the Pareto front, cheapest first."""
    best: list[RankedSubject] = []
    for ranked in sorted(shown, key=lambda ranked: (known[ranked.number], -(ranked.rate.value or 0.0))):
        if not best or (ranked.rate.value or 0.0) > (best[-1].rate.value or 0.0):
            best.append(ranked)
    return best


def _steps(best: Sequence[RankedSubject], known: dict[int, float]) -> list[tuple[float, float]]:
    corners: list[tuple[float, float]] = []
    for ranked in best:
        cost, height = known[ranked.number], ranked.rate.value or 0.0
        if corners:
            corners.append((cost, corners[-1][1]))
        corners.append((cost, height))
    return corners


def _heights(shown: Sequence[RankedSubject]) -> Iterator[float]:
    for ranked in shown:
        yield ranked.rate.value or 0.0
        interval = ranked.interval(Target.NEW_CASES)
        if interval is not None:
            yield from (end for end in (interval.low, interval.high) if end is not None)


def _whiskers(shown: Sequence[RankedSubject], known: dict[int, float], frame: Frame) -> list[Markup]:
    whiskers = []
    for ranked in shown:
        interval = ranked.interval(Target.NEW_CASES)
        if interval is not None and interval.low is not None and interval.high is not None:
            ends = [frame.place(known[ranked.number], end) for end in (interval.low, interval.high)]
            whiskers.append(line(ends, f"whisker {ranked.colour}"))
    return whiskers


def _is_on_front(ranked: RankedSubject, best: Sequence[RankedSubject]) -> bool:
    standing = ranked.subject.standing
    chance = standing.on_front if standing is not None else None
    return ranked in best if chance is None else chance >= HALF


def _point_text(ranked: RankedSubject, known: dict[int, float]) -> str:
    standing = ranked.subject.standing
    chance = standing.on_front if standing is not None else None
    on_front = "" if chance is None else f", {in_percent(chance)} on the front"
    return f"{rate(ranked.rate.value or 0.0)} for {usd(known[ranked.number])}{on_front}"
