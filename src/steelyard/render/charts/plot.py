"""Draw points and lines over two axes that stretch with the page, at a constant font size.

Text and points are positioned in percent. Lines are drawn in a 100 x 100 viewport that is stretched, with
strokes that keep their width.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steelyard.render.charts.markup import Markup, percent, tag
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import labelled
from steelyard.render.charts.subjects import RankedSubject

Point = tuple[float, float]

EDGE = 0.03
HEIGHT = 300  # pixels, as in page.css
SPACING = 22  # pixels between the centres of two numbers
NEAR = 0.06  # share of the width within which two numbers may overlap


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Two axes with their titles."""

    x: Axis
    y: Axis
    x_title: str
    y_title: str

    def place(self, x: float, y: float) -> Point:
        """Return a point's position from the left and the top, as shares of the area."""
        return self.x.scale.share(x), 1 - self.y.scale.share(y)


def plot(
    frame: Frame, label: str, *, lines: Iterable[Markup], points: Iterable[Markup], margin: bool = False
) -> Markup:
    """Return the plot; `label` is for screen readers, `margin` leaves room on the right."""
    stretched = tag(
        "svg", lines, view_box="0 0 100 100", preserveAspectRatio="none", width="100%", height="100%"
    )
    area = tag("svg", _grid(frame), stretched, points, class_="area", role="img", aria_label=label)
    return tag(
        "div",
        tag("p", frame.y_title, class_="axis-title"),
        tag("svg", _beside(frame.y), class_="y", aria_hidden="true"),
        area,
        tag("svg", _below(frame.x), class_="x", aria_hidden="true"),
        tag("p", frame.x_title, class_="axis-title x-title"),
        class_="plot with-margin" if margin else "plot",
    )


def plotted(picture: Markup, entries: Iterable[tuple[RankedSubject, str]], caption: str) -> Markup:
    """Return a plot with a key of its numbered subjects and a caption."""
    items = (tag("li", subject.label, tag("span", f" {entry}", class_="quiet")) for subject, entry in entries)
    return tag(
        "figure", picture, tag("ul", items, class_="key"), tag("figcaption", caption), class_="plotted"
    )


def line(points: Iterable[Point], kind: str) -> Markup:
    """Return a line through points."""
    return tag("path", d="M" + "L".join(_spot(*point) for point in points), class_=f"line {kind}")


def band(lower: Sequence[Point], upper: Sequence[Point], kind: str) -> Markup:
    """Return the area between two lines."""
    around = (*upper, *reversed(lower))
    return tag("path", d="M" + "L".join(_spot(*point) for point in around) + "Z", class_=f"band {kind}")


def numbered(
    subject: RankedSubject, point: Point, *, title: str, hollow: bool = False, shift: Point = (0, 0)
) -> Markup:
    """Return a subject's number in a circle at a point.

    With a shift in pixels, a dot marks the point and a line joins it to the number.
    """
    right, down = shift
    number = (
        tag("circle", cx=right, cy=down, r=10),
        tag("text", str(subject.number), x=right, y=down, dy="0.36em", text_anchor="middle"),
    )
    leader = (
        tag("line", x1=0, y1=0, x2=right, y2=down, class_="leader"),
        tag("circle", r=3, class_="anchor"),
    )
    # A nested svg is positioned in percent; its content is measured in pixels.
    placed = tag(
        "svg",
        leader if any(shift) else None,
        number,
        x=percent(point[0]),
        y=percent(point[1]),
        width=1,
        height=1,
    )
    kind = f"spot {subject.colour}" + (" hollow" if hollow else "")
    return tag("g", tag("title", title), placed, class_=kind)


def vertical_shifts(spots: Sequence[Point], *, height: float = HEIGHT) -> list[float]:
    """Return the vertical shift in pixels of each number that avoids overlaps.

    >>> vertical_shifts([(0.5, 0.5), (0.5, 0.5), (0.9, 0.5)])
    [-11.0, 11.0, 0.0]
    """
    moved = [0.0] * len(spots)
    for column in _columns(spots):
        tops = [height * spots[spot][1] for spot in column]
        for spot, top, new_top in zip(column, tops, _spread(tops, height), strict=True):
            moved[spot] = round(new_top - top, 1)
    return moved


def _columns(spots: Sequence[Point]) -> list[list[int]]:
    """Return the indices of spots that are near each other horizontally, from top to bottom."""
    columns: list[list[int]] = []
    for spot in sorted(range(len(spots)), key=lambda index: spots[index][0]):
        if columns and spots[spot][0] - spots[columns[-1][-1]][0] < NEAR:
            columns[-1].append(spot)
        else:
            columns.append([spot])
    return [sorted(column, key=lambda index: (spots[index][1], index)) for column in columns]


def _spread(tops: Sequence[float], height: float) -> list[float]:
    """Return positions at least SPACING vertical_shifts, in the same order, as near to `tops` as possible.

    Isotonic regression: neighbours out of order are averaged, after subtracting the room of those above.
    """
    blocks: list[tuple[float, int]] = []  # mean and number of pooled neighbours
    for above, top in enumerate(tops):
        mean, size = top - above * SPACING, 1
        while blocks and blocks[-1][0] > mean:
            before, count = blocks.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        blocks.append((mean, size))
    most = max(0.0, height - (len(tops) - 1) * SPACING)
    kept = [min(max(mean, 0.0), most) for mean, size in blocks for _ in range(size)]
    return [top + above * SPACING for above, top in enumerate(kept)]


def _grid(frame: Frame) -> Iterable[Markup]:
    for tick in frame.x.scale.ticks:
        x = percent(frame.x.scale.share(tick))
        yield tag("line", x1=x, x2=x, y1=0, y2="100%", class_="grid")
    for tick in frame.y.scale.ticks:
        y = percent(1 - frame.y.scale.share(tick))
        yield tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid")


def _beside(axis: Axis) -> Iterable[Markup]:
    for share, label in labelled(axis.scale, axis.written):
        yield tag("text", label, x="100%", y=percent(1 - share), dy="0.35em", text_anchor="end")


def _below(axis: Axis) -> Iterable[Markup]:
    for odd, (share, label) in enumerate(labelled(axis.scale, axis.written)):
        anchor = "start" if share < EDGE else "end" if share > 1 - EDGE else "middle"
        yield tag(
            "text", label, x=percent(share), y=14, text_anchor=anchor, class_="odd" if odd % 2 else None
        )


def _spot(x: float, y: float) -> str:
    return f"{round(100 * x, 2):g} {round(100 * y, 2):g}"
