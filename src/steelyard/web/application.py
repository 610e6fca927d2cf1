"""Put the pages behind addresses: what each address asks for, and what a fault looks like."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import InputError, SteelyardError, UserError
from steelyard.render.charts.markup import tag
from steelyard.web.assets import asset_response
from steelyard.web.guard import ViewerAccess, Guard
from steelyard.web.links import LARGEST_KEY, listing, number
from steelyard.web.pages.case import case_page
from steelyard.web.pages.layout import Place, heading, page
from steelyard.web.pages.run import run_page
from steelyard.web.pages.runs import runs_page
from steelyard.web.pages.sample import sample_page

Show = Callable[[Viewer, Request], Response]


def application(viewer: Viewer, access: ViewerAccess) -> ASGIApp:
    """Return the application that shows what a viewer opened to a browser with access."""
    routes = {
        "/": _home,
        "/r/{run}": _run,
        "/r/{run}/c/{key}": _case,
        "/r/{run}/c/{key}/{attempt}": _sample,
        "/r/{run}/c/{key}/{attempt}/answer.txt": _answer_text,
    }
    app = Starlette(
        routes=[
            *(Route(path, _endpoint(show, viewer)) for path, show in routes.items()),
            Route("/assets/{name}", asset_response),
        ],
        exception_handlers={
            UserError: _fault(404),
            SteelyardError: _fault(503),
            404: _missing,
            405: _missing,
        },
    )
    return Guard(app, access)


def _endpoint(show: Show, viewer: Viewer) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:  # not async: it reads files, in a thread
        return show(viewer, request)

    return endpoint


def _home(viewer: Viewer, _: Request) -> Response:
    single = viewer.single
    if single is not None:
        return RedirectResponse(f"/r/{single.id}", 303)
    return HTMLResponse(runs_page(viewer.address, viewer.lines()))


def _run(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["run"])
    return HTMLResponse(run_page(run, listing(request.query_params, run.manifest.subjects)))


def _case(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["run"])
    shown = listing(request.query_params, run.manifest.subjects)
    start = number(request.query_params, "start") or 0
    return HTMLResponse(case_page(run, _whole(request, "key"), shown, start=start))


def _sample(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["run"])
    shown = listing(request.query_params, run.manifest.subjects)
    key, attempt = _whole(request, "key"), _whole(request, "attempt")
    other = number(request.query_params, "with")
    return HTMLResponse(
        sample_page(
            run,
            run.sample(key, attempt),
            shown,
            whole="whole" in request.query_params,
            other=None if other is None else run.sample(key, other),
        )
    )


def _answer_text(viewer: Viewer, request: Request) -> Response:
    """Return an answer as a file to keep; a browser does not show it."""
    found = _opened(viewer, request).sample(_whole(request, "key"), _whole(request, "attempt"))
    headers = {"content-disposition": f'attachment; filename="answer-{found.attempt}.txt"'}
    text = (found.text or "").encode("utf-8", "replace")
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def _opened(viewer: Viewer, request: Request) -> RunView:
    return viewer.run(request.path_params["run"])


def _whole(request: Request, name: str) -> int:
    text = request.path_params[name]
    if not (text.isascii() and text.isdigit()) or int(text[:20]) > LARGEST_KEY:
        raise InputError("no such page")
    return int(text[:20])


def _fault(code: int) -> Callable[[Request, Exception], Response]:
    def shown(_: Request, error: Exception) -> Response:
        return HTMLResponse(_fault_page(str(error)), code)

    return shown


def _missing(_: Request, __: Exception) -> Response:
    return HTMLResponse(_fault_page("There is no such page."), 404)


def _fault_page(message: str) -> str:
    return page("Not shown", Place(), heading("This cannot be shown"), tag("p", message))
