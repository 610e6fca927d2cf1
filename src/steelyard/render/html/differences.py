"""Show the differences of two texts by line, side by side on wide screens."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from steelyard.render.charts.markup import Markup, tag
from steelyard.render.html.code import plain

LONGEST = 100_000  # characters of both texts together
MOST_LINES = 3_000  # of each
CONTEXT = 3  # equal lines around a change

Row = tuple[str, int | None, str, int | None, str]  # kind, line and text of the left, of the right


def difference(left: str, right: str, *, names: tuple[str, str], is_cut: bool = False) -> Markup:
    """Return a table of the lines that differ, or a sentence if there are none.

    `is_cut`: the texts are truncated, so the rest is unknown.
    """
    if left == right:
        how_far = " up to the length stored here" if is_cut else ""
        return tag("p", f"The two texts are equal{how_far}.", class_="quiet")
    before, after = left.splitlines(), right.splitlines()
    if len(left) + len(right) > LONGEST or max(len(before), len(after)) > MOST_LINES:
        return tag("p", "The texts are too long to compare here; download both.", class_="quiet")
    rows = [_row(row) for row in _rows(before, after)]
    head = tag("tr", *(tag("th", name, colspan=2, scope="colgroup") for name in names))
    widths = tag("colgroup", *(tag("col", class_=kind) for kind in ("place", None, "place", None)))
    table = tag("table", widths, tag("thead", head), tag("tbody", rows), class_="diff")
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="difference")


def _rows(before: list[str], after: list[str]) -> Iterator[Row | None]:
    """Yield the lines of each group of changes; None between groups."""
    matcher = SequenceMatcher(a=before, b=after)
    for index, group in enumerate(matcher.get_grouped_opcodes(CONTEXT)):
        if index:
            yield None
        for kind, a_start, a_end, b_start, b_end in group:
            for step in range(max(a_end - a_start, b_end - b_start)):
                a, b = a_start + step, b_start + step
                yield (
                    kind,
                    a + 1 if a < a_end else None,
                    before[a] if a < a_end else "",
                    b + 1 if b < b_end else None,
                    after[b] if b < b_end else "",
                )


def _row(row: Row | None) -> Markup:
    if row is None:
        return tag("tr", tag("td", "⋯", colspan=4, class_="quiet"))
    kind, a, left, b, right = row
    return tag(
        "tr",
        tag("td", "" if a is None else str(a), class_="place"),
        tag("td", tag("del", plain(left)) if _is_changed(kind, a) else plain(left)),
        tag("td", "" if b is None else str(b), class_="place"),
        tag("td", tag("ins", plain(right)) if _is_changed(kind, b) else plain(right)),
        class_=f"d-{kind}",
    )


def _is_changed(kind: str, line: int | None) -> bool:
    return kind != "equal" and line is not None
