"""Export pages of a run as static files: for CI artifacts, mail and web sites.

The same pages, with style and script inside. A link to a page that was not written becomes plain text; in the
tabs and pagers it is left out.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from steelyard.app.files import write_file
from steelyard.app.view.comparing import compare_views
from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import InputError, UserError
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
_BARS = re.compile(r'<(div class="tabs"|p class="pager").*?</(?:div|p)>', re.DOTALL)
_LINK = re.compile(r"<a\b([^>]*)>.*?</a>", re.DOTALL)
_ASSETS = re.compile(r'<link rel="(?:stylesheet|icon)"[^>]*>|<script src="[^"]*" defer></script>')

Pages = dict[str, Callable[[], str]]  # by address; rendered lazily


def export_pages(viewer: Viewer, folder: Path, *, samples: int) -> int:
    """Write the pages of every run and return the number of files.

    Args:
        viewer: The opened runs.
        folder: An empty or new folder.
        samples: The maximum number of failed samples of each run.

    Raises:
        InputError: The folder cannot be written to.
        UserError: The folder is not empty, or there is no run.
    """
    _require_empty(folder)
    lines = viewer.results(viewer.lines())
    runs = [viewer.run(line.id) for line in lines if not line.problem]
    if not runs:
        raise UserError(f"{viewer.address}: no run to export")
    has_history = viewer.baselines is not None
    both = _comparison(*(viewer.pair or (runs[1], runs[0])), samples) if len(runs) == COMPARED else {}
    listed = partial(runs_page, viewer.address, lines, lines, comparison=next(iter(both), None))
    pages: Pages = {"/runs": partial(listed, has_history=has_history, unlisted=viewer.unlisted)}
    if has_history:
        pages["/history"] = lambda: history_page(viewer.history())
    for run in runs:
        pages |= _run_pages(run, samples)
    pages |= both
    if viewer.gate is not None:
        pages["/"] = partial(gate_page, viewer.gate, viewer.pair)
    else:
        pages["/"] = pages[f"/r/{runs[0].id}"] if len(runs) == 1 else pages["/runs"]
    # One at a time: the pages of many runs do not fit into memory.
    for address, make in pages.items():
        write_file(folder / file_name(address), static(make(), pages))
    return len(pages)


def _require_empty(folder: Path) -> None:
    """Reject a folder with other files, which would be published with the export."""
    try:
        is_used = folder.exists() and any(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    if is_used:
        raise UserError(f"{folder}: the folder is not empty. Remove it, or choose another.")


def file_name(address: str) -> str:
    """Return the file name of a page.

    >>> file_name("/"), file_name("/r/0a/c/12/3")
    ('index.html', 'r-0a-c-12-3.html')
    """
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', address).strip('-') or 'index'}.html"


def static(page: str, known: Collection[str]) -> str:
    """Return a page as a file: links lead to files, forms are gone, style and script are inside."""

    def with_file(href: re.Match[str]) -> str:
        address = href[1].replace("&amp;", "&")
        if address.startswith("#"):
            return href[0]
        for exported in (address, address.partition("?")[0]):
            if exported in known:
                return f' href="{file_name(exported)}"'
        return ""

    def without_dead_links(bar: re.Match[str]) -> str:
        return _LINK.sub(lambda link: link[0] if " href=" in link[1] else "", bar[0])

    style, script = f"{asset_text('page.css')}\n{asset_text('view.css')}", asset_text("view.js")
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'"
    head = tag("meta", http_equiv="Content-Security-Policy", content=policy) + raw("style", style)
    body = _BARS.sub(without_dead_links, _HREF.sub(with_file, _FORM.sub("", _ASSETS.sub("", page))))
    body = re.sub(r' data-live="[^"]*"', "", body)
    return body.replace("</head>", f"{head}</head>", 1).replace(
        "</body>", f"{raw('script', script)}</body>", 1
    )


def _run_pages(run: RunView, samples: int) -> Pages:
    shown = ListRequest(chosen=CaseFilter(), page=PageRequest(order=CaseOrder.RATE, size=CASES))
    rows = run.case_page(shown.chosen, shown.page).rows
    pages: Pages = {f"/r/{run.id}": partial(run_page, run, shown)}
    if run.marks():
        pages[f"/r/{run.id}/marks"] = partial(marks_page, run)
    if run.generated_and_checked()[1]:
        pages[f"/r/{run.id}/report"] = partial(report_page, run)
    for row in rows:
        pages[f"/r/{run.id}/c/{row.key}"] = partial(case_page, run, row.key, shown, start=0)
    for row, attempt in chosen_samples(rows, samples):
        pages[f"/r/{run.id}/c/{row.key}/{attempt}"] = partial(_sample_page, run, row.key, attempt, shown)
    return pages


def _sample_page(run: RunView, key: int, attempt: int, shown: ListRequest) -> str:
    sample = run.sample(key, attempt)
    marks = mark_form(run, sample) if run.marks(key, attempt) else None
    return sample_page(run, sample, shown, whole=False, other=None, marks=marks)


def chosen_samples(rows: tuple[CaseRow, ...], most: int) -> Iterator[tuple[CaseRow, int]]:
    """Yield at most `most` failed samples: the first of every case, then the second, and so on."""
    failed = {
        row.key: [attempt.number for attempt in row.strip if attempt.kind not in {None, "pass"}]
        for row in rows
    }
    remaining = most
    for turn in range(max(map(len, failed.values()), default=0)):
        for row in rows:
            if remaining and turn < len(failed[row.key]):
                remaining -= 1
                yield row, failed[row.key][turn]


def _comparison(before: RunView, after: RunView, samples: int) -> Pages:
    """Return the pages of a comparison, its main page first; none if the runs are not comparable."""
    try:
        compared = compare_views(before, after)
    except UserError:  # for example different scoring rules: the runs still have their own pages
        return {}
    address = f"/compare?before={before.id}&after={after.id}"
    pages: Pages = {address: partial(compare_page, (before, after), compared, None)}
    for changed in compared.changes[:samples]:
        old, new = changed.before, changed.after
        if old and new and old.strip and new.strip:
            address = f"/sides?before={before.id}-{old.key}&after={after.id}-{new.key}"
            pages[address] = partial(_sides_page, (before, old), (after, new))
    return pages


def _sides_page(before: tuple[RunView, CaseRow], after: tuple[RunView, CaseRow]) -> str:
    left, right = (run.sample(row.key, first_failure(row)) for run, row in (before, after))
    return sides_page((before[0], after[0]), (left, right))


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
