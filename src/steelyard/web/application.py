"""Assemble the web application: routes, error pages, and the guard in front."""

import traceback
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from steelyard.app.view.viewer import Viewer
from steelyard.errors import SteelyardError, UserError
from steelyard.render.charts.markup import tag
from steelyard.web import endpoints
from steelyard.web.assets import asset_response
from steelyard.web.events import events
from steelyard.web.guard import Guard, ViewerAccess
from steelyard.web.pages.layout import Place, heading, page
from steelyard.web.sql_pool import sql_pages

Show = Callable[[Viewer, Request], Response]

PAGES: dict[str, Show] = {
    "/": endpoints.home,
    "/runs": endpoints.runs,
    "/history": endpoints.history,
    "/compare": endpoints.compared,
    "/sides": endpoints.sides,
    "/r/{run}": endpoints.run,
    "/r/{run}/matrix": endpoints.matrix,
    "/r/{run}/report": endpoints.report,
    "/r/{run}/compare": endpoints.choose,
    "/r/{run}/search": endpoints.search,
    "/r/{run}/marks": endpoints.marks,
    "/r/{run}/marks.jsonl": endpoints.marks_file,
    "/r/{run}/blind": endpoints.blind,
    "/r/{run}/c/{key}": endpoints.case,
    "/r/{run}/c/{key}/{attempt}": endpoints.sample,
    "/r/{run}/c/{key}/{attempt}/answer.txt": endpoints.answer_file,
}


def application(viewer: Viewer, access: ViewerAccess) -> ASGIApp:
    """Return the application of a viewer, restricted to browsers with access."""
    app = Starlette(
        routes=[
            *(Route(path, _endpoint(show, viewer)) for path, show in PAGES.items()),
            Route("/r/{run}/c/{key}/{attempt}/marks", endpoints.add_mark(viewer), methods=["POST"]),
            Route("/r/{run}/blind", endpoints.add_rating(viewer), methods=["POST"]),
            Route("/r/{run}/sql", sql_pages(viewer)),
            Route("/r/{run}/events", events(viewer)),
            Route("/assets/{name}", asset_response),
        ],
        exception_handlers={
            UserError: _error_response(404),
            SteelyardError: _error_response(503),
            404: _missing,
            405: _missing,
            Exception: _bug,
        },
    )
    return Guard(app, access)


def _endpoint(show: Show, viewer: Viewer) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:  # not async: Starlette runs it in a thread
        return show(viewer, request)

    return endpoint


def _error_response(code: int) -> Callable[[Request, Exception], Response]:
    def response(_: Request, error: Exception) -> Response:
        return HTMLResponse(_error_page(str(error)), code)

    return response


def _bug(_: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return HTMLResponse(_error_page("This is a bug in Steelyard; the terminal shows more."), 500)


def _missing(_: Request, __: Exception) -> Response:
    return HTMLResponse(_error_page("There is no such page."), 404)


def _error_page(message: str) -> str:
    return page("Not shown", Place(), heading("This cannot be shown"), tag("p", message))
