"""Draw a mark or bar in each row of a table, along a common axis that stretches with the page.

Positions along the axis are percentages: a narrow screen shrinks the axis, not the text.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from steelyard.render.charts.markup import Content, Markup, joined, percent, tag
from steelyard.render.charts.scale import SHARES, AxisScale, labelled
from steelyard.render.numbers import in_percent

MIDDLE = 14
EDGE = 0.02  # a centred label nearer to an end would overflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The axis of all rows, and its number format."""

    scale: AxisScale
    written: Callable[[float], str]


SHARE_AXIS = Axis(scale=SHARES, written=in_percent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A column beside the marks; one that `is_wide` is hidden on narrow screens."""

    title: Content
    is_number: bool = True
    is_wide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The name, marks and cells of a row, and content below them; `id` is its link target."""

    name: Content
    marks: Sequence[Markup]
    cells: Sequence[Content] = field(default=())
    below: Content = None
    id: str | None = None


def row_chart(
    caption: Content,
    axis: Axis,
    rows: Iterable[Row],
    *,
    heads: Sequence[Head] = (),
    name: str = "model",
) -> Markup:
    """Return a table with marks along an axis in every row."""
    columns = [
        tag("th", name, scope="col", role="columnheader"),
        tag(
            "th",
            _numbers(axis),
            tag("span", "picture", class_="unseen"),
            scope="col",
            class_="track",
            role="columnheader",
        ),
        *(tag("th", head.title, scope="col", role="columnheader", class_=_class(head)) for head in heads),
    ]
    body = [_row(axis.scale, row, heads) for row in rows]
    # Narrow screens use a grid layout, which removes the implicit table roles.
    table = tag(
        "table",
        tag("thead", tag("tr", columns, role="row"), role="rowgroup"),
        tag("tbody", body, role="rowgroup"),
        class_="rows",
        role="table",
    )
    return tag("figure", table, tag("figcaption", caption))


def _row(scale: AxisScale, row: Row, heads: Sequence[Head]) -> Markup:
    """Return a row and, if it has content below, a second one as wide as the table."""
    cells = (
        tag("td", cell, role="cell", class_=_class(head)) for cell, head in zip(row.cells, heads, strict=True)
    )
    first = tag(
        "tr",
        tag("th", row.name, scope="row", role="rowheader"),
        tag("td", _track(scale, row.marks), class_="track", role="cell"),
        cells,
        role="row",
        id=row.id,
    )
    if not row.below:
        return first
    wide = tag("td", row.below, colspan=2 + len(heads), role="cell")
    return joined(first, tag("tr", wide, role="row", class_="below"))


def _numbers(axis: Axis) -> Markup:
    """Return the tick labels of an axis; narrow screens hide every other one."""
    texts = [
        tag(
            "text",
            label,
            x=percent(place),
            y=13,
            text_anchor=_anchor(place),
            class_="odd" if number % 2 else None,
        )
        for number, (place, label) in enumerate(labelled(axis.scale, axis.written))
    ]
    return tag("svg", texts, class_="axis", height=18, aria_hidden="true")


def _track(scale: AxisScale, marks: Iterable[Markup]) -> Markup:
    """Return the grid lines and marks of one row."""
    lines = (_line(scale.share(tick)) for tick in scale.ticks)
    return tag("svg", lines, marks, class_="marks", height=2 * MIDDLE, aria_hidden="true")


def bar(low: float, high: float, kind: str, *, height: int = 8, title: str | None = None) -> Markup:
    """Return a bar between two positions, given as shares of the axis."""
    tooltip = tag("title", title) if title else None
    return tag(
        "rect",
        tooltip,
        x=percent(low),
        width=percent(max(high - low, 0.0)),
        y=MIDDLE - height / 2,
        height=height,
        class_=kind,
    )


def dot(place: float, kind: str, *, radius: float = 5, title: str | None = None) -> Markup:
    """Return a dot at a position, given as a share of the axis."""
    tooltip = tag("title", title) if title else None
    return tag("circle", tooltip, cx=percent(place), cy=MIDDLE, r=radius, class_=kind)


def vertical(place: float, kind: str, *, half: int = 8) -> Markup:
    """Return a short vertical line at a position, given as a share of the axis."""
    x = percent(place)
    return tag("line", x1=x, x2=x, y1=MIDDLE - half, y2=MIDDLE + half, class_=kind)


def swatch(*marks: Markup) -> Markup:
    """Return a small sample of marks for a legend."""
    return tag("svg", marks, class_="swatch", width=28, height=2 * MIDDLE, aria_hidden="true")


def legend(*entries: tuple[Markup, Content]) -> Markup:
    """Return a legend: swatches with their meanings."""
    return tag("span", (tag("span", mark, " ", words) for mark, words in entries), class_="legend")


def square(kind: str) -> Markup:
    """Return a small square of a colour, for a legend."""
    return tag(
        "svg", tag("rect", width=12, height=12, rx=2, class_=kind), class_="square", width=12, height=12
    )


def _line(place: float) -> Markup:
    return tag("line", x1=percent(place), x2=percent(place), y1=0, y2="100%", class_="grid")


def _anchor(place: float) -> str:
    return "start" if place < EDGE else "end" if place > 1 - EDGE else "middle"


def _class(head: Head) -> str | None:
    return " ".join(word for word in ("number" * head.is_number, "wide" * head.is_wide) if word) or None
