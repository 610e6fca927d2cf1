"""The proxy of one agent: connects to allowed hosts, rejects others, counts everything.

Each request resolves its name once and connects to the checked address.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from steelyard.model.execution import GIB
from steelyard.providers.command.egress.addresses import is_public, resolve
from steelyard.providers.command.egress.allow_list import AllowList, canonical, is_address
from steelyard.providers.command.egress.forward import Count, Stream, flush, relay
from steelyard.providers.command.egress.head import END, MalformedHead, RequestHead, parse_head
from steelyard.providers.command.egress.log import EgressLog, EgressVerdict, HostRequests

Resolver = Callable[[str, int], Sequence[str]]

SOCKET = "proxy.sock"
FOR_THE_SANDBOX = 0o666  # for another user of the agent; the folder excludes all others
LOOKUPS = 4  # at a time
TRIED = 4  # addresses of a host
OPENED = b"HTTP/1.1 200 Connection established" + END
STATUS = {
    EgressVerdict.UNKNOWN_HOST: "502 Bad Gateway",
    EgressVerdict.UNREACHABLE: "502 Bad Gateway",
    EgressVerdict.MALFORMED: "400 Bad Request",
    EgressVerdict.OVER_LIMIT: "503 Service Unavailable",
}
FORBIDDEN = "403 Forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of one agent's use of the proxy."""

    connections: int = 64  # at a time
    requests: int = 10_000
    total_bytes: int = 4 * GIB  # both directions together
    head_s: float = 30.0
    connect_s: float = 30.0


class RefusedRequest(Exception):
    """A rejected request."""

    def __init__(self, verdict: EgressVerdict, host: str = "", port: int | None = None) -> None:
        super().__init__(verdict)
        self.verdict, self.host, self.port = verdict, host, port


class EgressProxy:
    """The proxy of one agent, running inside an `async with`; it listens at `path`."""

    def __init__(
        self,
        allowed: AllowList,
        *,
        resolve: Resolver = resolve,
        is_public: Callable[[str], bool] = is_public,
        bounds: Bounds | None = None,
    ) -> None:
        """Set the allowed hosts; the resolver and the address check differ only in tests."""
        self.log = EgressLog()
        self._allowed = allowed
        self._resolve = resolve
        self._is_public = is_public
        self._bounds = bounds or Bounds()
        self._requests = 0
        self._bytes = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_over = False

    @property
    def path(self) -> Path:
        """The unix socket, in a folder that only this user can enter."""
        return Path(self._folder.name, SOCKET)

    async def __aenter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix=f"steelyard-egress-{os.getpid()}-")
        self._lookups = ThreadPoolExecutor(max_workers=LOOKUPS, thread_name_prefix="lookup")
        self._server = await asyncio.start_server(self._accept, sock=_listener(self._folder.name))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over = True  # drops a connection accepted meanwhile
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._lookups.shutdown(wait=False, cancel_futures=True)
        self._folder.cleanup()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_over:
            writer.transport.abort()
            return
        self._requests += 1
        is_last = self._requests > self._bounds.requests
        if is_last:
            self._server.close()
        is_full = is_last or len(self._tasks) >= self._bounds.connections
        task = asyncio.create_task(self._serve((reader, writer), is_full=is_full))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, agent: Stream, *, is_full: bool) -> None:
        """Serve one connection, which is one request."""
        _, writer = agent
        try:
            with suppress(OSError):
                await self._pass_on(agent, is_full=is_full)
            await flush(writer)
        except RefusedRequest as refused:
            self.log.request(refused.host, refused.port, refused.verdict)
            with suppress(OSError):
                writer.write(_refusal(refused))
                await flush(writer)
        finally:
            writer.transport.abort()

    async def _pass_on(self, agent: Stream, *, is_full: bool) -> None:
        if is_full:
            raise RefusedRequest(EgressVerdict.OVER_LIMIT)
        head = await self._head(agent[0])
        host = self._listed(head)
        try:
            server = await self._connected(host, head.port)
        except asyncio.CancelledError:  # the agent has exited
            self.log.request(host, head.port, EgressVerdict.UNREACHABLE)
            raise
        entry = self.log.request(host, head.port, EgressVerdict.ALLOWED)
        try:
            if head.is_tunnel:
                agent[1].write(OPENED)
            else:
                self._count(entry, "bytes_sent")(len(head.first))
                server[1].write(head.first)
            await relay(
                agent,
                server,
                sent=self._count(entry, "bytes_sent"),
                received=self._count(entry, "bytes_received"),
            )
            await flush(server[1])
        finally:
            server[1].transport.abort()

    async def _head(self, reader: asyncio.StreamReader) -> RequestHead:
        if self._bytes > self._bounds.total_bytes:
            self._server.close()
            raise RefusedRequest(EgressVerdict.OVER_LIMIT)
        try:
            async with asyncio.timeout(self._bounds.head_s):
                return parse_head(await reader.readuntil(END))
        except (MalformedHead, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError) as error:
            raise RefusedRequest(EgressVerdict.MALFORMED) from error

    def _listed(self, head: RequestHead) -> str:
        """Return the host of a request; raises RefusedRequest unless it is allowed."""
        host = canonical(head.host)
        if host is None or not self._allowed.allows(host, head.port):
            raise RefusedRequest(EgressVerdict.NOT_LISTED, host or head.host, head.port)
        return host

    async def _connected(self, host: str, port: int) -> Stream:
        """Connect to a checked address."""
        for address in (await self._addresses(host, port))[:TRIED]:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._bounds.connect_s):
                    # An address: nothing is resolved again.
                    return await asyncio.open_connection(address, port)
        raise RefusedRequest(EgressVerdict.UNREACHABLE, host, port)

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Return the allowed addresses of a host."""
        if self._allowed.names_address(host):
            return [host]
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._bounds.connect_s):
                result = (
                    [host]
                    if is_address(host)
                    else await loop.run_in_executor(self._lookups, self._resolve, host, port)
                )
        except (OSError, UnicodeError, TimeoutError) as error:
            raise RefusedRequest(EgressVerdict.UNKNOWN_HOST, host, port) from error
        public = [address for address in result if self._is_public(address)]
        if not public:
            raise RefusedRequest(EgressVerdict.NOT_PUBLIC, host, port)
        return public

    def _count(self, entry: HostRequests, direction: str) -> Count:
        """Return a byte counter that ends the connection at the limit."""

        def count(size: int) -> None:
            self._bytes += size
            if self._bytes > self._bounds.total_bytes:
                self.log.request(entry.host, entry.port, EgressVerdict.OVER_LIMIT)
                raise ConnectionAbortedError
            setattr(entry, direction, getattr(entry, direction) + size)

        return count


def _listener(folder: str) -> socket.socket:
    """Return a unix socket in a folder, by descriptor: its path may be too long for an address."""
    listener = socket.socket(socket.AF_UNIX)
    opened = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        listener.bind(f"/proc/self/fd/{opened}/{SOCKET}")
        Path(folder, SOCKET).chmod(FOR_THE_SANDBOX)
    finally:
        os.close(opened)
    return listener


def _refusal(refused: RefusedRequest) -> bytes:
    """Return a response with the reason, for the agent and its user."""
    status = STATUS.get(refused.verdict, FORBIDDEN)
    target = "" if refused.port is None else f" {refused.host}:{refused.port}"
    text = f"steelyard proxy: {refused.verdict}{target}\n"
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\nConnection: close"
    )
    return f"{head}\r\n\r\n{text}".encode("ascii", "replace")
