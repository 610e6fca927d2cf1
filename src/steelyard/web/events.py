"""Tell open pages that a run has changed, by server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import SteelyardError

EVERY_S = 1.0  # how often the version of a run is looked up
QUIET = 15  # looks without a change, after which a line keeps the connection open
MOST_STREAMS = 50


def events(viewer: Viewer) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that a live page listens to."""
    open_streams: set[int] = set()

    async def endpoint(request: Request) -> Response:
        run = await run_in_threadpool(viewer.run, request.path_params["run"])
        if len(open_streams) >= MOST_STREAMS:
            return Response("too many pages are open\n", 503)

        async def counted() -> AsyncIterator[str]:
            open_streams.add(id(request))
            try:
                async for line in _changes(run):
                    yield line
            finally:
                open_streams.discard(id(request))

        return StreamingResponse(counted(), media_type="text/event-stream")

    return endpoint


async def _changes(run: RunView) -> AsyncIterator[str]:
    """Give a line whenever a commit was made."""
    known, quiet = await run_in_threadpool(_version, run), 0
    yield "retry: 2000\n\n"
    while True:
        await asyncio.sleep(EVERY_S)
        newest = await run_in_threadpool(_version, run)
        if newest != known:
            known, quiet = newest, 0
            yield f"event: changed\ndata: {newest}\n\n"
        elif (quiet := quiet + 1) == QUIET:
            quiet = 0
            yield ": still here\n\n"


def _version(run: RunView) -> str:
    try:
        return "-".join(map(str, run.version))
    except SteelyardError:
        return ""  # such as while the run is put in order; the next look finds it
