"""A little internet on the loopback: one address counts as public, another one is this machine's own."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from steelyard.providers.command.egress import addresses
from steelyard.providers.command.egress.allow_list import AllowList, allow_list
from steelyard.providers.command.egress.proxy import Bounds, EgressProxy

PUBLIC, OWN = "127.0.0.2", "127.0.0.1"
HELLO = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"


def is_public(address: str) -> bool:
    """Judge as the proxy does, but for the one address at which the tests serve."""
    return address == PUBLIC or addresses.is_public(address)


@dataclass
class Internet:
    """Two servers at the same port, what they were sent, and names that lead to some address."""

    port: int
    names: dict[str, Sequence[str]] = field(default_factory=dict)
    heads: dict[str, list[bytes]] = field(default_factory=lambda: {PUBLIC: [], OWN: []})
    looked_up: list[str] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a name; an unknown one has none."""
        assert port
        self.looked_up.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self.names[host]

    def proxy(self, *entries: str, bounds: Bounds | None = None) -> EgressProxy:
        """Return a proxy that allows some hosts of this internet."""
        return self.make_proxy(bounds)(allow_list(entries))

    def make_proxy(self, bounds: Bounds | None = None) -> Callable[[AllowList], EgressProxy]:
        """Return what makes proxies to this internet."""
        return partial(EgressProxy, resolve=self.resolve, is_public=is_public, bounds=bounds)


@contextmanager
def internet(names: Mapping[str, Sequence[str]]) -> Iterator[Internet]:
    """Serve until the end; `/to/HOST` redirects, `/sink` swallows what follows, everything is greeted."""
    listeners = _listeners()
    net = Internet(port=listeners[0].getsockname()[1], names=dict(names))
    threads = [threading.Thread(target=_serve, args=(listener, net)) for listener in listeners]
    for thread in threads:
        thread.start()
    try:
        yield net
    finally:
        for listener in listeners:
            listener.shutdown(socket.SHUT_RDWR)  # wakes up whoever waits for a connection
        for thread in threads:
            thread.join()
        for listener in listeners:
            listener.close()


def _listeners() -> list[socket.socket]:
    """Return two sockets that listen at the same port of both addresses."""
    while True:
        public = socket.create_server((PUBLIC, 0), backlog=64)
        try:
            return [public, socket.create_server((OWN, public.getsockname()[1]), backlog=64)]
        except OSError:
            public.close()


def _serve(listener: socket.socket, net: Internet) -> None:
    address = listener.getsockname()[0]
    with suppress(OSError):
        while True:
            line, _ = listener.accept()
            with line, suppress(OSError):
                head = _head(line)
                net.heads[address].append(head)
                while b" /sink " in head and line.recv(65536):
                    pass
                line.sendall(_response(head))


def _head(line: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and (data := line.recv(65536)):
        head += data
    return head


def _response(head: bytes) -> bytes:
    path = head.split(b" ")[1] if b" " in head else b""
    if path.startswith(b"/to/"):
        where = path.removeprefix(b"/to/")
        return b"HTTP/1.1 302 Found\r\nLocation: http://" + where + b"/\r\nConnection: close\r\n\r\n"
    return HELLO


async def asked(proxy: EgressProxy, data: bytes) -> bytes:
    """Send something to a proxy and return all that comes back."""
    reader, writer = await asyncio.open_unix_connection(proxy.path)
    came_back = b""
    with suppress(ConnectionError):  # of a refusal that has not read everything
        writer.write(data)
        writer.write_eof()
        while part := await reader.read(65536):
            came_back += part
    writer.close()
    return came_back


def asked_once(proxy: EgressProxy, data: bytes) -> bytes:
    """Run a proxy for one request."""

    async def once() -> bytes:
        async with proxy:
            return await asked(proxy, data)

    return asyncio.run(once())
