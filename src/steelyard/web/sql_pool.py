"""Serve SQL pages from a pool of their own: slow queries must not stop other pages."""

from collections.abc import Awaitable, Callable

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from steelyard.app.view.viewer import Viewer
from steelyard.web import endpoints
from steelyard.web.pages.layout import Place, heading, page

AT_ONCE = 2
MOST_WAITING = 8
BUSY = "Too many SQL queries are waiting. Try again later; each query stops after 20 seconds."


def sql_pages(viewer: Viewer) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of the SQL page."""
    limiters: list[CapacityLimiter] = []  # at most one; must be created in the event loop
    pending = 0

    async def endpoint(request: Request) -> Response:
        nonlocal pending
        if pending >= AT_ONCE + MOST_WAITING:
            return HTMLResponse(page("SQL", Place(), heading("Too many queries"), BUSY), 503)
        if not limiters:
            limiters.append(CapacityLimiter(AT_ONCE))
        pending += 1
        try:
            return await to_thread.run_sync(endpoints.sql, viewer, request, limiter=limiters[0])
        finally:
            pending -= 1

    return endpoint
