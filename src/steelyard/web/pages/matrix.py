"""The matrix page: cases in rows, subjects in columns, passes in cells."""

from itertools import groupby

from steelyard.app.view.run_view import RunView
from steelyard.model.viewing import CaseRow
from steelyard.render.charts.markup import Markup, tag
from steelyard.render.charts.names import named
from steelyard.render.numbers import UNDEFINED
from steelyard.web.links import ListRequest
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.run import filters, place_of, subject_label

CASES = 50
SHADES = 10


def matrix_page(run: RunView, shown: ListRequest, after: tuple[str, str] | None) -> str:
    """Return a page of the matrix; a filter by subject selects cases, but shows all subjects."""
    rows, cases = run.matrix(shown.chosen, after=after, size=CASES)
    subjects = run.manifest.subjects
    head = tag(
        "tr",
        tag("th", "case", scope="col", class_="case"),
        *(tag("th", subject_label(run, subject.model, subject.tier), scope="col") for subject in subjects),
    )
    grouped = [(name, list(group)) for name, group in groupby(rows, key=lambda row: (row.suite, row.case))]
    body = [_line(run, group, shown) for _, group in grouped]
    table = tag("table", tag("thead", head), tag("tbody", body), class_="matrix")
    is_more = len(grouped) == CASES
    (suite, case) = grouped[-1][0] if grouped else ("", "")
    return page(
        "Matrix",
        place_of(run, "Matrix"),
        heading("Cases and subjects"),
        filters(run, shown, is_sorted=False),
        tag(
            "p",
            f"{len(grouped)} of {cases:,} matching cases. Cells: passed of checked.",
            class_="quiet",
            role="status",
        ),
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="matrix"),
        tag(
            "p",
            tag("a", "first", href=shown.query() or "?") if after else None,
            tag("a", "next", href=shown.query(after_suite=suite, after_case=case), rel="next")
            if is_more
            else None,
            class_="pager",
        ),
    )


def _line(run: RunView, rows: list[CaseRow], shown: ListRequest) -> Markup:
    by_subject = {(row.model, row.tier): row for row in rows}
    cells = (
        _cell(run, by_subject.get((subject.model, subject.tier)), shown) for subject in run.manifest.subjects
    )
    first = rows[0]
    link = tag("a", named(first.case), href=f"/r/{run.id}/c/{first.key}{shown.query()}", data_row=True)
    return tag("tr", tag("th", link, scope="row", class_="case"), *cells)


def _cell(run: RunView, row: CaseRow | None, shown: ListRequest) -> Markup:
    if row is None or not row.n:
        return tag("td", UNDEFINED, class_="grid-cell quiet")
    link = tag("a", f"{row.c}/{row.n}", href=f"/r/{run.id}/c/{row.key}{shown.query()}")
    return tag("td", link, class_=f"h{_shade(row)} grid-cell")


def _shade(row: CaseRow) -> int:
    """Return a shade from 0 to 10; 0 and 10 only if none or all passed."""
    if row.c in {0, row.n}:
        return SHADES if row.c else 0
    return min(SHADES - 1, max(1, round(SHADES * row.c / row.n)))
