"""Notify open pages of changes to a run, by server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import Viewer
from steelyard.errors import SteelyardError

EVERY_S = 1.0  # how often the version of a run is looked up
QUIET = 15  # looks without a change, after which a line keeps the connection open
MOST_STREAMS = 50


class _CountedStream(StreamingResponse):
    """A stream that gives its slot back however it ends, also before its first line."""

    def __init__(self, lines: AsyncIterator[str], release: Callable[[], None]) -> None:
        super().__init__(lines, media_type="text/event-stream")
        self._release = release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[explicit-override]  # not in Python 3.11
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


def events(viewer: Viewer) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of the event stream of a live page."""
    streams = 0

    def release() -> None:
        nonlocal streams
        streams -= 1

    async def endpoint(request: Request) -> Response:
        nonlocal streams
        if streams >= MOST_STREAMS:
            return Response("too many pages are open\n", 503)
        streams += 1
        try:
            run = await run_in_threadpool(viewer.run, request.path_params["run"])
        except BaseException:
            release()
            raise
        return _CountedStream(_changes(run), release)

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
