"""Many slow requests of one kind leave the other pages of the viewer reachable."""

import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse

from steelyard.app.view.viewer import Viewer
from steelyard.web import endpoints
from steelyard.web.events import MOST_STREAMS
from steelyard.web.sql_pool import AT_ONCE, MOST_WAITING
from tests.web.site import Site

MANY = 45  # more than the threads of all other pages
LIMIT_S = 60


def test_slow_sql_pages_leave_threads_to_the_others(looked_at: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended = Semaphore(0), Event()

    def slow(_: Viewer, __: Request) -> HTMLResponse:
        started.release()
        ended.wait(LIMIT_S)
        return HTMLResponse("found")

    monkeypatch.setattr(endpoints, "sql", slow)
    run = f"/r/{looked_at.run_id('before')}"
    with ThreadPoolExecutor(MANY) as pool:
        statuses = [pool.submit(lambda: looked_at.ask(f"{run}/sql?q=SELECT+1").status) for _ in range(MANY)]
        for _ in range(AT_ONCE):
            assert started.acquire(timeout=LIMIT_S)
        page = looked_at.page(run)
        more_started = started.acquire(blocking=False)
        refused = MANY - AT_ONCE - MOST_WAITING
        while sum(status.done() for status in statuses) < refused:
            looked_at.page(run)
        ended.set()

    assert "before" in page
    assert not more_started
    counts = [status.result() for status in statuses]
    assert (counts.count(503), counts.count(200)) == (refused, MANY - refused)


def test_event_streams_are_counted_before_they_open(looked_at: Site) -> None:
    path = f"/r/{looked_at.run_id('before')}/events"
    cookie = next(iter(looked_at.cookie().items()))
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{looked_at.access.port}\r\n{cookie[0]}: {cookie[1]}\r\n\r\n"
    )
    streams: list[socket.socket] = []
    for _ in range(2 * MOST_STREAMS):
        streams.append(socket.create_connection(("127.0.0.1", looked_at.access.port), LIMIT_S))
        streams[-1].sendall(head.encode())
    codes = [status_line(stream).split()[1] for stream in streams]
    for stream in streams:
        stream.close()
    while looked_at.ask("/r/none/events").status == 503:  # until the closed ones are given back
        pass

    assert (codes.count(b"200"), codes.count(b"503")) == (MOST_STREAMS, MOST_STREAMS)


def test_a_stream_of_no_run_gives_its_place_back(looked_at: Site) -> None:
    statuses: list[Any] = [looked_at.ask("/r/none/events").status for _ in range(MOST_STREAMS + 1)]

    assert set(statuses) == {404}


def status_line(stream: socket.socket) -> bytes:
    with stream.makefile("rb") as file:
        return file.readline()
