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

POLL_S = 1.0  # interval at which the version of a run is read
KEEP_ALIVE = 15  # polls without a change before a keep-alive line
MOST_STREAMS = 50


class _CountedStream(StreamingResponse):
    """A stream that always releases its slot, even if it fails before the first line."""

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
    """Yield an event for each commit."""
    known, quiet = await run_in_threadpool(_version, run), 0
    yield "retry: 2000\n\n"
    while True:
        await asyncio.sleep(POLL_S)
        newest = await run_in_threadpool(_version, run)
        if newest != known:
            known, quiet = newest, 0
            yield f"event: changed\ndata: {newest}\n\n"
        elif (quiet := quiet + 1) == KEEP_ALIVE:
            quiet = 0
            yield ": still here\n\n"


def _version(run: RunView) -> str:
    try:
        return "-".join(map(str, run.version))
    except SteelyardError:
        return ""  # for example while the run is being finished; the next poll succeeds
