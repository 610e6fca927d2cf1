"""Write pages of a run as files that need no server: for CI artifacts, mail and static sites.

The same pages, with style and script inside. A link to a page that was not written becomes plain text.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from steelyard.app.files import write_file
from steelyard.app.view.comparing import compare_views
from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import UserError
from steelyard.model.viewing import CaseFilter, CaseOrder, CaseRow, PageRequest
from steelyard.render.charts.markup import raw, tag
from steelyard.web.assets import asset_text
from steelyard.web.links import ListRequest
from steelyard.web.pages.case import case_page
from steelyard.web.pages.compare import compare_page, first_failure, sides_page
from steelyard.web.pages.documents import gate_page, history_page, report_page
from steelyard.web.pages.marks import mark_form, marks_page
from steelyard.web.pages.run import run_page
from steelyard.web.pages.runs import runs_page
from steelyard.web.pages.sample import sample_page

CASES = 200  # rows of the list, the lowest pass rates first
COMPARED = 2  # runs
_HREF = re.compile(r' href="([^"]*)"')
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_ASSETS = re.compile(r'<link rel="(?:stylesheet|icon)"[^>]*>|<script src="[^"]*" defer></script>')

Pages = dict[str, str]  # by address


def export_pages(viewer: Viewer, folder: Path, *, samples: int) -> int:
    """Write pages of every run, with up to so many samples of each, and return how many files there are."""
    lines = viewer.results(viewer.lines())
    runs = [viewer.run(line.id) for line in lines if not line.problem]
    if not runs:
        raise UserError(f"{viewer.address}: there is no run to export")
    has_history = viewer.baselines is not None
    pages: Pages = {"/runs": runs_page(viewer.address, lines, lines, has_history=has_history)}
    if has_history:
        pages["/history"] = history_page(viewer.history())
    for run in runs:
        pages |= _run_pages(run, samples)
    if len(runs) == COMPARED:
        pages |= _comparison(*(viewer.pair or (runs[1], runs[0])), samples)
    if viewer.gate is not None:
        first = gate_page(viewer.gate, viewer.pair)
    else:
        first = pages[f"/r/{runs[0].id}"] if len(runs) == 1 else pages["/runs"]
    pages["/"] = first
    for address, page in pages.items():
        write_file(folder / file_name(address), static(page, pages))
    return len(pages)


def file_name(address: str) -> str:
    """Return the file of a page.

    >>> file_name("/"), file_name("/r/0a/c/12/3")
    ('index.html', 'r-0a-c-12-3.html')
    """
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', address).strip('-') or 'index'}.html"


def static(page: str, known: Pages) -> str:
    """Return a page as a file: links lead to files, forms are gone, style and script are inside."""

    def linked(found: re.Match[str]) -> str:
        address = found[1].replace("&amp;", "&")
        if address.startswith("#"):
            return found[0]
        for wanted in (address, address.partition("?")[0]):
            if wanted in known:
                return f' href="{file_name(wanted)}"'
        return ""

    style, script = f"{asset_text('page.css')}\n{asset_text('view.css')}", asset_text("view.js")
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'"
    head = tag("meta", http_equiv="Content-Security-Policy", content=policy) + raw("style", style)
    body = _HREF.sub(linked, _FORM.sub("", _ASSETS.sub("", page)))
    body = re.sub(r' data-live="[^"]*"', "", body)
    return body.replace("</head>", f"{head}</head>", 1).replace(
        "</body>", f"{raw('script', script)}</body>", 1
    )


def _run_pages(run: RunView, samples: int) -> Pages:
    shown = ListRequest(chosen=CaseFilter(), page=PageRequest(order=CaseOrder.RATE, size=CASES))
    rows = run.case_page(shown.chosen, shown.page).rows
    pages: Pages = {f"/r/{run.id}": run_page(run, shown)}
    if run.marks():
        pages[f"/r/{run.id}/marks"] = marks_page(run)
    if run.drawn_and_checked()[1]:
        pages[f"/r/{run.id}/report"] = report_page(run)
    for row in rows:
        pages[f"/r/{run.id}/c/{row.key}"] = case_page(run, row.key, shown, start=0)
    for row, attempt in chosen_samples(rows, samples):
        found = run.sample(row.key, attempt)
        marks = mark_form(run, found) if run.marks(row.key, attempt) else None
        page = sample_page(run, found, shown, whole=False, other=None, marks=marks)
        pages[f"/r/{run.id}/c/{row.key}/{attempt}"] = page
    return pages


def chosen_samples(rows: tuple[CaseRow, ...], most: int) -> Iterator[tuple[CaseRow, int]]:
    """Give failed samples: the first of every case, then the second of every case, up to a number."""
    failed = {row.key: [one.number for one in row.strip if one.kind not in {None, "pass"}] for row in rows}
    left = most
    for turn in range(max(map(len, failed.values()), default=0)):
        for row in rows:
            if left and turn < len(failed[row.key]):
                left -= 1
                yield row, failed[row.key][turn]


def _comparison(before: RunView, after: RunView, samples: int) -> Pages:
    try:
        found = compare_views(before, after)
    except UserError:  # such as two scoring rules, or a stop rule: each run has its own pages
        return {}
    pages = {f"/compare?before={before.id}&after={after.id}": compare_page((before, after), found, None)}
    for one in found.changes[:samples]:
        if one.before and one.after and one.before.strip and one.after.strip:
            address = f"/sides?before={before.id}-{one.before.key}&after={after.id}-{one.after.key}"
            pair = (
                before.sample(one.before.key, first_failure(one.before)),
                after.sample(one.after.key, first_failure(one.after)),
            )
            pages[address] = sides_page((before, after), pair)
    return pages


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
