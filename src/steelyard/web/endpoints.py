"""Define the endpoints: parse the request, call the app, return a page."""

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from steelyard.app.view.comparing import compare_views
from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import InputError, SteelyardError
from steelyard.model.viewing import CaseRow, SampleView, SearchScope
from steelyard.render.charts.markup import tag
from steelyard.web.links import LARGEST_KEY, ListRequest, Query, chosen_subject, chosen_word, listing, number
from steelyard.web.pages.blind import blind_page
from steelyard.web.pages.case import case_page
from steelyard.web.pages.compare import choose_page, compare_page, first_failure, sides_page
from steelyard.web.pages.documents import gate_page, history_page, report_page
from steelyard.web.pages.marks import mark_form, marks_page
from steelyard.web.pages.matrix import matrix_page
from steelyard.web.pages.run import run_page, run_page_pieces
from steelyard.web.pages.runs import RUNS_SHOWN, runs_page
from steelyard.web.pages.sample import sample_page
from steelyard.web.pages.search import search_page
from steelyard.web.pages.sql import sql_page

Endpoint = Callable[[Request], Awaitable[Response]]
Form = dict[str, str]

LONGEST_WORDS = 200
FEWEST_LETTERS = 2
LARGEST_FORM = 20_000  # bytes


def home(viewer: Viewer, request: Request) -> Response:
    """Show the opened verdict, the only run, or else the list of runs."""
    if viewer.gate is not None:
        return HTMLResponse(gate_page(viewer.gate, viewer.pair))
    single = viewer.single
    if single is not None:
        return RedirectResponse(f"/r/{single.id}", 303)
    return runs(viewer, request)


def runs(viewer: Viewer, request: Request) -> Response:
    """Show a page of the list of runs."""
    lines = viewer.lines()
    start = min(number(request.query_params, "start") or 0, max(0, len(lines) - 1))
    shown = viewer.results(lines[start : start + RUNS_SHOWN])
    return HTMLResponse(
        runs_page(
            viewer.address,
            lines,
            shown,
            start=start,
            has_history=viewer.baselines is not None,
            unlisted=viewer.unlisted,
        )
    )


def history(viewer: Viewer, _: Request) -> Response:
    """Show the opened baselines over time."""
    return HTMLResponse(history_page(viewer.history()))


def run(viewer: Viewer, request: Request) -> Response:
    """Show a run and a page of its cases."""
    opened, shown = _opened(viewer, request)
    if shown.chosen.failed:  # slow: the page shows its progress
        return _streamed(run_page_pieces(opened, shown))
    return HTMLResponse(run_page(opened, shown))


def matrix(viewer: Viewer, request: Request) -> Response:
    """Show cases against subjects."""
    opened, shown = _opened(viewer, request)
    params = request.query_params
    after = (
        (params["after_suite"], params["after_case"])
        if "after_case" in params and "after_suite" in params
        else None
    )
    return HTMLResponse(matrix_page(opened, shown, after))


def report(viewer: Viewer, request: Request) -> Response:
    """Show the report of a run."""
    return HTMLResponse(report_page(_opened(viewer, request)[0]))


def choose(viewer: Viewer, request: Request) -> Response:
    """Show the form that selects runs or subjects to compare."""
    return HTMLResponse(choose_page(_opened(viewer, request)[0], viewer.lines()))


def compared(viewer: Viewer, request: Request) -> Response:
    """Show a comparison of two runs or two subjects."""
    params = request.query_params
    before, after = viewer.run(params.get("before", "")), viewer.run(params.get("after", ""))
    first = chosen_subject(params, "a", before.manifest.subjects)
    second = chosen_subject(params, "b", after.manifest.subjects)
    subjects = (first, second) if first and second else None
    compared_runs = compare_views(before, after, subjects=subjects)
    return HTMLResponse(compare_page((before, after), compared_runs, subjects))


def sides(viewer: Viewer, request: Request) -> Response:
    """Show two samples of one case side by side."""
    (before, old), (after, new) = (_side(viewer, request, name) for name in ("before", "after"))
    samples = (
        before.sample(old.key, _attempt(old, request, "a")),
        after.sample(new.key, _attempt(new, request, "b")),
    )
    return HTMLResponse(sides_page((before, after), samples))


def search(viewer: Viewer, request: Request) -> Response:
    """Stream the results of a search."""
    opened = _opened(viewer, request)[0]
    words = request.query_params.get("words", "").strip()
    if words and not FEWEST_LETTERS <= len(words) <= LONGEST_WORDS:
        raise InputError(f"words: expected {FEWEST_LETTERS} to {LONGEST_WORDS} characters")
    scope = chosen_word(request.query_params, "in", SearchScope) or SearchScope.ANSWERS
    skip = number(request.query_params, "skip") or 0
    return _streamed(search_page(opened, words, scope, skip=skip))


def sql(viewer: Viewer, request: Request) -> Response:
    """Show the result of a SELECT."""
    return HTMLResponse(sql_page(_opened(viewer, request)[0], request.query_params.get("q", "")))


def case(viewer: Viewer, request: Request) -> Response:
    """Show a case."""
    opened, shown = _opened(viewer, request)
    start = number(request.query_params, "start") or 0
    key, whole = _required_number(request.path_params, "key"), "whole" in request.query_params
    return HTMLResponse(case_page(opened, key, shown, start=start, whole=whole))


def sample(viewer: Viewer, request: Request) -> Response:
    """Show a sample."""
    opened, shown = _opened(viewer, request)
    key, sample_view = _required_number(request.path_params, "key"), _sample(viewer, request)
    other = number(request.query_params, "with")
    return HTMLResponse(
        sample_page(
            opened,
            sample_view,
            shown,
            whole="whole" in request.query_params,
            other=None if other is None else opened.sample(key, other),
            marks=mark_form(opened, sample_view),
        )
    )


def answer_file(viewer: Viewer, request: Request) -> Response:
    """Return an answer as a download."""
    sample_view = _sample(viewer, request)
    return _file((sample_view.text or "").encode("utf-8", "replace"), f"answer-{sample_view.attempt}.txt")


def marks(viewer: Viewer, request: Request) -> Response:
    """Show all marks of a run."""
    return HTMLResponse(marks_page(_opened(viewer, request)[0]))


def marks_file(viewer: Viewer, request: Request) -> Response:
    """Return all marks of a run as JSON lines, oldest first."""
    oldest_first = reversed(_opened(viewer, request)[0].marks())
    lines = (json.dumps(asdict(mark)) + "\n" for mark in oldest_first)
    return _file("".join(lines).encode(), "marks.jsonl")


def blind(viewer: Viewer, request: Request) -> Response:
    """Show the next sample to rate blindly."""
    return HTMLResponse(blind_page(_opened(viewer, request)[0], whole="whole" in request.query_params))


def add_mark(viewer: Viewer) -> Endpoint:
    """Return the endpoint that adds a mark to a sample."""

    def write(request: Request, form: Form) -> str:
        opened = viewer.run(request.path_params["run"])
        key, attempt = (
            _required_number(request.path_params, "key"),
            _required_number(request.path_params, "attempt"),
        )
        sample = opened.sample(key, attempt)
        opened.mark(key, sample.attempt, label=form.get("label", ""), note=form.get("note", ""))
        return f"/r/{opened.id}/c/{key}/{attempt}"

    return _form_endpoint(write)


def add_rating(viewer: Viewer) -> Endpoint:
    """Return the endpoint that adds a blind mark and redirects to the next sample."""

    def write(request: Request, form: Form) -> str:
        opened = viewer.run(request.path_params["run"])
        key, attempt = _required_number(form, "key"), _required_number(form, "attempt")
        sample = opened.sample(key, attempt)
        label, note = form.get("label", ""), form.get("note", "")
        opened.mark(key, sample.attempt, label=label, note=note, is_blind=True)
        return f"/r/{opened.id}/blind"

    return _form_endpoint(write)


def _form_endpoint(write: Callable[[Request, Form], str]) -> Endpoint:
    """Return an endpoint that reads a form, writes it, and redirects to a page."""

    async def endpoint(request: Request) -> Response:
        content = bytearray()
        try:
            async for part in request.stream():
                content += part
                if len(content) > LARGEST_FORM:
                    return PlainTextResponse("The form is too large.\n", 413)
        except ClientDisconnect:
            return PlainTextResponse("", 400)
        fields = parse_qs(content.decode("utf-8", "replace"), keep_blank_values=True)
        form = {name: values[0] for name, values in fields.items()}
        return RedirectResponse(await run_in_threadpool(write, request, form), 303)

    return endpoint


def _file(content: bytes, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="text/plain; charset=utf-8", headers=headers)


def _opened(viewer: Viewer, request: Request) -> tuple[RunView, ListRequest]:
    opened = viewer.run(request.path_params["run"])
    return opened, listing(request.query_params, opened.manifest.subjects)


def _sample(viewer: Viewer, request: Request) -> SampleView:
    opened = viewer.run(request.path_params["run"])
    return opened.sample(
        _required_number(request.path_params, "key"), _required_number(request.path_params, "attempt")
    )


def _required_number(fields: Query, name: str) -> int:
    """Return a required number of a path or form."""
    value = number(fields, name)
    if value is None or value > LARGEST_KEY:
        raise InputError("there is no such page")
    return value


def _side(viewer: Viewer, request: Request, name: str) -> tuple[RunView, CaseRow]:
    """Return the run and case of one side of a comparison."""
    run_id, _, key = request.query_params.get(name, "").partition("-")
    opened = viewer.run(run_id)
    return opened, opened.row(number({name: key}, name) or 0)


def _attempt(row: CaseRow, request: Request, name: str) -> int:
    """Return the attempt of a side: the requested one, else the first failure."""
    requested = number(request.query_params, name)
    return first_failure(row) if requested is None else requested


def _streamed(pieces: Iterator[str]) -> Response:
    """Stream a page; the status is sent before any error, so an error is appended to the page."""

    def with_error() -> Iterator[str]:
        try:
            yield from pieces
        except SteelyardError as error:
            yield tag("p", str(error), class_="tone-bad", role="alert")

    return StreamingResponse(with_error(), media_type="text/html")
