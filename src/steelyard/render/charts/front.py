"""Draw cost against quality: who is beaten on both, and who is not."""

from collections.abc import Iterator, Sequence

from steelyard.model.interval import Target
from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, tag
from steelyard.render.charts.order import Place, places
from steelyard.render.charts.plot import Frame, apart, key, line, numbered, plot
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import linear, logarithmic, shares
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import in_percent, usd

FEWEST = 2
WIDE = 10  # the ratio of the dearest to the cheapest from which on the axis shows ratios
HALF = 0.5


def front(report: Report) -> Markup | None:
    """Return the subjects by cost of a sample and pass rate, or nothing where fewer than two have both."""
    known = {place.number: cost for place in places(report) if (cost := cost_of_sample(place)) is not None}
    shown = [place for place in places(report) if place.number in known and place.rate.value is not None]
    if len(shown) < FEWEST:
        return None
    values = [known[place.number] for place in shown]
    is_wide = min(values) > 0 and max(values) > WIDE * min(values)
    scale = logarithmic(values) if is_wide else linear(values, include=0)
    frame = Frame(
        x=Axis(scale=scale, written="${:g}".format),
        y=Axis(scale=shares(_heights(shown)), written=in_percent),
        x_title="mean cost of a sample" + (", in equal ratios" if is_wide else ""),
        y_title="pass rate",
    )
    spots = [frame.place(known[place.number], place.rate.value or 0.0) for place in shown]
    best = _front(shown, known)
    steps = [frame.place(x, y) for x, y in _steps(best, known)]
    picture = plot(
        frame,
        "pass rate against the cost of a sample; as told below",
        lines=[line(steps, "front"), *_whiskers(shown, known, frame)],
        points=[
            numbered(place, spot, says=_said(place, known), hollow=not _is_on_front(place, best), shift=shift)
            for place, spot, shift in zip(shown, spots, apart(spots), strict=True)
        ],
    )
    noun = Labels.of(report).noun
    caption = (
        f"Up and to the left is better. Filled: probably no other {noun} is both cheaper and better. "
        "The line joins those of whom that holds here; upright lines: intervals on other cases like these. "
        "A number that had to make room has a dot where it belongs."
    )
    return tag(
        "figure",
        picture,
        key((place, _said(place, known)) for place in shown),
        tag("figcaption", caption),
        class_="plotted",
    )


def cost_of_sample(place: Place) -> float | None:
    """Return the mean cost of a sample in US dollars, where all costs are known."""
    total, samples = (
        place.subject.total_cost_usd.value,
        place.subject.samples + place.subject.coverage.errored,
    )
    return total / samples if total is not None and samples else None


def _front(shown: Sequence[Place], known: dict[int, float]) -> list[Place]:
    """Return those whom nobody beats on both, cheapest first."""
    best: list[Place] = []
    for place in sorted(shown, key=lambda one: (known[one.number], -(one.rate.value or 0.0))):
        if not best or (place.rate.value or 0.0) > (best[-1].rate.value or 0.0):
            best.append(place)
    return best


def _steps(best: Sequence[Place], known: dict[int, float]) -> list[tuple[float, float]]:
    corners: list[tuple[float, float]] = []
    for place in best:
        cost, height = known[place.number], place.rate.value or 0.0
        if corners:
            corners.append((cost, corners[-1][1]))
        corners.append((cost, height))
    return corners


def _heights(shown: Sequence[Place]) -> Iterator[float]:
    for place in shown:
        yield place.rate.value or 0.0
        found = place.interval(Target.NEW_CASES)
        if found is not None:
            yield from (end for end in (found.low, found.high) if end is not None)


def _whiskers(shown: Sequence[Place], known: dict[int, float], frame: Frame) -> list[Markup]:
    drawn = []
    for place in shown:
        found = place.interval(Target.NEW_CASES)
        if found is not None and found.low is not None and found.high is not None:
            ends = [frame.place(known[place.number], end) for end in (found.low, found.high)]
            drawn.append(line(ends, f"whisker {place.colour}"))
    return drawn


def _is_on_front(place: Place, best: Sequence[Place]) -> bool:
    standing = place.subject.standing
    chance = standing.on_front if standing is not None else None
    return place in best if chance is None else chance >= HALF


def _said(place: Place, known: dict[int, float]) -> str:
    standing = place.subject.standing
    chance = standing.on_front if standing is not None else None
    told = "" if chance is None else f", {in_percent(chance)} on the front"
    return f"{rate(place.rate.value or 0.0)} for {usd(known[place.number])}{told}"
