"""Draw points and lines over two axes; the area takes the room there is, and the letters stay as they are.

Letters and points are placed by percentages. Lines are drawn in a picture of 100 by 100 that is stretched,
with strokes that are not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steelyard.render.charts.markup import Markup, percent, tag
from steelyard.render.charts.rows import Axis
from steelyard.render.charts.scale import labelled
from steelyard.render.charts.subjects import RankedSubject

Point = tuple[float, float]

EDGE = 0.03
HEIGHT = 300  # of the picture in pixels, as the style sheet has it
BESIDE = 22  # pixels that two numbers need
NEAR = 0.06  # of the width: what lies further apart covers nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Two axes with their titles."""

    x: Axis
    y: Axis
    x_title: str
    y_title: str

    def place(self, x: float, y: float) -> Point:
        """Return where a point lies: from the left and from the top, as shares."""
        return self.x.scale.share(x), 1 - self.y.scale.share(y)


def plot(
    frame: Frame, label: str, *, lines: Iterable[Markup], points: Iterable[Markup], margin: bool = False
) -> Markup:
    """Return the picture; `label` describes it for screen readers, `margin` leaves room on the right."""
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
    """Return a picture with a key of its numbered subjects and a caption."""
    items = (tag("li", subject.label, tag("span", f" {entry}", class_="quiet")) for subject, entry in entries)
    return tag(
        "figure", picture, tag("ul", items, class_="key"), tag("figcaption", caption), class_="plotted"
    )


def line(points: Iterable[Point], kind: str) -> Markup:
    """Return a line through places."""
    return tag("path", d="M" + "L".join(_spot(*point) for point in points), class_=f"line {kind}")


def band(lower: Sequence[Point], upper: Sequence[Point], kind: str) -> Markup:
    """Return the area between two lines."""
    around = (*upper, *reversed(lower))
    return tag("path", d="M" + "L".join(_spot(*point) for point in around) + "Z", class_=f"band {kind}")


def numbered(
    subject: RankedSubject, point: Point, *, title: str, hollow: bool = False, shift: Point = (0, 0)
) -> Markup:
    """Return a subject's number in a circle at a point.

    Where it is moved by some pixels, a dot stays where it belongs and a line leads to it.
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
    # A picture within the picture: its place is a share of the area, and what is in it counts pixels.
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


def apart(spots: Sequence[Point], *, height: float = HEIGHT) -> list[float]:
    """Return by how many pixels to move each number up or down, so that none covers another.

    >>> apart([(0.5, 0.5), (0.5, 0.5), (0.9, 0.5)])
    [-11.0, 11.0, 0.0]
    """
    moved = [0.0] * len(spots)
    for column in _columns(spots):
        tops = [height * spots[item][1] for item in column]
        for entry, top, index in zip(column, tops, _spread(tops, height), strict=True):
            moved[entry] = round(index - top, 1)
    return moved


def _columns(spots: Sequence[Point]) -> list[list[int]]:
    """Return which numbers stand above each other, from top to bottom; those of two columns never meet."""
    columns: list[list[int]] = []
    for item in sorted(range(len(spots)), key=lambda entry: spots[entry][0]):
        if columns and spots[item][0] - spots[columns[-1][-1]][0] < NEAR:
            columns[-1].append(item)
        else:
            columns.append([item])
    return [sorted(column, key=lambda entry: (spots[entry][1], entry)) for column in columns]


def _spread(tops: Sequence[float], height: float) -> list[float]:
    """Return places that lie apart, in the same order, as near to the wanted ones as they can be.

    Less the room that the numbers above need, places must not fall: neighbours that would are averaged.
    """
    blocks: list[tuple[float, int]] = []  # the mean of some neighbours, and how many
    for above, top in enumerate(tops):
        mean, size = top - above * BESIDE, 1
        while blocks and blocks[-1][0] > mean:
            before, count = blocks.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        blocks.append((mean, size))
    most = max(0.0, height - (len(tops) - 1) * BESIDE)
    kept = [min(max(mean, 0.0), most) for mean, size in blocks for _ in range(size)]
    return [index + above * BESIDE for above, index in enumerate(kept)]


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
