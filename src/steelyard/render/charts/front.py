"""Draw cost against quality, and the front of subjects that no other beats on both."""

from collections.abc import Iterator, Sequence

from steelyard.model.estimate import Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.plot import Frame, apart, line, numbered, plot, plotted
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import linear, logarithmic, shares
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects, rate_title
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import in_percent, plain_usd, usd

FEWEST = 2
WIDE = 10  # the ratio of the dearest to the cheapest from which on the axis shows ratios
HALF = 0.5


def front(report: Report) -> Markup | None:
    """Return the subjects by cost of a sample and pass rate, or nothing where fewer than two have both."""
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
    is_wide = min(values) > 0 and max(values) > WIDE * min(values)
    scale = logarithmic(values) if is_wide else linear(values, include=0)
    frame = Frame(
        x=Axis(scale=scale, written=plain_usd),
        y=Axis(scale=shares(_heights(shown)), written=in_percent),
        x_title="mean cost of a sample" + (", in equal ratios" if is_wide else ""),
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
                title=_said(ranked, known),
                hollow=not _is_on_front(ranked, best),
                shift=(0, down),
            )
            for ranked, spot, down in zip(shown, spots, apart(spots), strict=True)
        ],
    )
    noun = Labels.of(report).noun
    caption = (
        f"Up and to the left is better. Filled: probably no other {noun} is both cheaper and better. "
        "The line joins those for which that holds here; upright lines: intervals on other cases like these. "
        "A line leads from a number that had to make room to the dot where it belongs."
    )
    return plotted(picture, ((ranked, _said(ranked, known)) for ranked in shown), caption)


def _cost_of_sample(report: Report, subject: SubjectSummary) -> float | None:
    """Return the mean cost of a sample in US dollars, where all costs are known."""
    total, samples = subject.total_cost_usd.value, report.seen_samples_of(subject)
    return total / samples if total is not None and samples else None


def _front(shown: Sequence[RankedSubject], known: dict[int, float]) -> list[RankedSubject]:
    """Return the subjects that no other beats on both, cheapest first."""
    best: list[RankedSubject] = []
    for ranked in sorted(shown, key=lambda item: (known[item.number], -(item.rate.value or 0.0))):
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
    drawn = []
    for ranked in shown:
        interval = ranked.interval(Target.NEW_CASES)
        if interval is not None and interval.low is not None and interval.high is not None:
            ends = [frame.place(known[ranked.number], end) for end in (interval.low, interval.high)]
            drawn.append(line(ends, f"whisker {ranked.colour}"))
    return drawn


def _is_on_front(ranked: RankedSubject, best: Sequence[RankedSubject]) -> bool:
    standing = ranked.subject.standing
    chance = standing.on_front if standing is not None else None
    return ranked in best if chance is None else chance >= HALF


def _said(ranked: RankedSubject, known: dict[int, float]) -> str:
    standing = ranked.subject.standing
    chance = standing.on_front if standing is not None else None
    on_front = "" if chance is None else f", {in_percent(chance)} on the front"
    return f"{rate(ranked.rate.value or 0.0)} for {usd(known[ranked.number])}{on_front}"
