"""Serve the vendors' protocols on loopback: slowly, wrongly or in vain, as told, and log every request."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tests.fake_providers.asked import Answer, Answering, Asked, echo
from tests.fake_providers.faults import REFUSED, Fault, Plan, never
from tests.fake_providers.protocols import SAID, Json, Vendor, vendor_of

LARGEST = 64 * 1024 * 1024  # of a request's body
BACKLOG = 20_000
PATHS = {"openai": "/v1", "openai-responses": "/v1", "anthropic": "", "google": ""}
REASONS = {200: "OK"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One line of the log: who was asked what when, by whom, and how it was answered."""

    asked_s: float
    answered_s: float
    vendor: str
    model: str
    prompt: str  # its digest
    nth: int
    status: int
    fault: str | None
    seed: int | None = None
    key: str = ""


@dataclass(slots=True, kw_only=True)
class Behaviour:
    """How a server behaves; may be changed while it runs."""

    answer: Answering = echo
    faults: Plan = never
    delay_s: float = 0.0
    answers_once: int = 0  # so many calls have been under way at a time


@dataclass(slots=True, kw_only=True)
class Seen:
    """What a server saw."""

    asked: list[Asked] = field(default_factory=list)
    log: list[Logged] = field(default_factory=list)
    now: int = 0
    most_at_once: int = 0


class VendorServer:
    """The server; one event loop."""

    def __init__(self, behaviour: Behaviour, *, log: IO[str] | None = None, keep: bool = True) -> None:
        """Take how to behave and where to write the log; without `keep` nothing is kept in memory."""
        self.behaviour = behaviour
        self.seen = Seen()
        self.port = 0
        self._file = log
        self._keep = keep
        self._arrivals = 0
        self._times: Counter[tuple[str, str, str]] = Counter()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def requests(self) -> int:
        """How many requests arrived."""
        return self._arrivals

    def url(self, vendor: str) -> str:
        """Return the address to give to a vendor's library."""
        return f"http://127.0.0.1:{self.port}{PATHS[vendor]}"

    async def start(self, port: int = 0) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port, backlog=BACKLOG)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening, and drop whoever still waits."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._one(reader, writer):
                    pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection may be used again."""
        first, headers = _head(await reader.readuntil(b"\r\n\r\n"))
        length = int(headers.get("content-length", "0"))
        assert length <= LARGEST
        raw = await reader.readexactly(length)
        path = first.split(" ")[1]
        vendor = vendor_of(path)
        if vendor is None:
            writer.write(_response(404, {"error": {"message": f"no such path: {path}", "code": "not_found"}}))
            return True
        began_s = time.time()
        asked = self._counted(vendor.asked(path, headers, json.loads(raw)))
        self.seen.now += 1
        self.seen.most_at_once = max(self.seen.most_at_once, self.seen.now)
        try:
            return await self._answer(vendor, asked, writer, began_s)
        finally:
            self.seen.now -= 1

    def _counted(self, asked: Asked) -> Asked:
        key = (asked.vendor, asked.model, asked.digest)
        counted = replace(asked, nth=self._times[key], arrival=self._arrivals)
        self._times[key] += 1
        self._arrivals += 1
        if self._keep:
            self.seen.asked.append(counted)
        return counted

    async def _answer(
        self, vendor: Vendor, asked: Asked, writer: asyncio.StreamWriter, began_s: float
    ) -> bool:
        fault = self.behaviour.faults(asked)
        while self.seen.most_at_once < self.behaviour.answers_once:  # noqa: ASYNC110  # another task counts
            await asyncio.sleep(0.01)
        await asyncio.sleep(self.behaviour.delay_s + (fault.delay_s if fault else 0.0))
        status, response = self._made(vendor, asked, fault)
        self._note(asked, began_s, status, fault)
        name = fault.name if fault else None
        if name == "reset":
            writer.transport.abort()
            return False
        writer.write(response[: len(response) * 3 // 4] if name == "cut" else response)
        await writer.drain()
        return name != "cut" and not asked.is_streamed

    def _made(self, vendor: Vendor, asked: Asked, fault: Fault | None) -> tuple[int, bytes]:
        name = fault.name if fault else None
        if fault and name in REFUSED:
            status, said = SAID[fault.name]
            status = fault.status or status
            body = vendor.error(fault.name, status, said.format(key=asked.key, model=asked.model))
            return status, _response(status, body, retry_after=fault.retry_after)
        answer = self.behaviour.answer(asked)
        answer = Answer(text=answer) if isinstance(answer, str) else answer
        answer = replace(answer, text="") if name in {"empty", "blocked"} else answer
        if name == "not_json":
            return 200, _response(200, b"<html>We will be back soon.</html>", kind="text/html")
        if asked.is_streamed:
            return 200, _pieces(vendor.streamed(asked, answer, name))
        body = vendor.reply(asked, answer, name)
        return 200, _response(200, json.dumps(body).encode()[:-9] if name == "malformed" else body)

    def _note(self, asked: Asked, began_s: float, status: int, fault: Fault | None) -> None:
        line = Logged(
            asked_s=began_s,
            answered_s=time.time(),
            vendor=asked.vendor,
            model=asked.model,
            prompt=asked.digest,
            nth=asked.nth,
            status=status,
            fault=fault.name if fault else None,
            seed=asked.seed,
            key=asked.key,
        )
        if self._keep:
            self.seen.log.append(line)
        if self._file:
            fields = {name: getattr(line, name) for name in Logged.__slots__}
            self._file.write(json.dumps(fields) + "\n")
            self._file.flush()


@contextmanager
def serving(behaviour: Behaviour | None = None, *, log: Path | None = None) -> Iterator[VendorServer]:
    """Run a server in a thread of its own; gone when the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="vendors", daemon=True)
    thread.start()
    file = log.open("a", encoding="utf-8") if log else None
    server = VendorServer(behaviour or Behaviour(), log=file)
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
        if file:
            file.close()


def _head(raw: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = raw.decode("latin-1").rstrip("\r\n").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return first, {name.strip().lower(): value.strip() for name, _, value in pairs}


def _response(
    status: int, body: Json | bytes, *, kind: str = "application/json", retry_after: str | None = None
) -> bytes:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"HTTP/1.1 {status} {REASONS.get(status, 'No')}", f"Content-Type: {kind}"]
    head += [f"Content-Length: {len(content)}", "X-Request-Id: req-1"]
    if retry_after is not None:
        head.append(f"Retry-After: {retry_after}")
    return "\r\n".join([*head, "", ""]).encode() + content


def _pieces(events: Iterator[bytes]) -> bytes:
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in events)
    head = ("HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked", "", "")
    return "\r\n".join(head).encode() + chunks + b"0\r\n\r\n"
