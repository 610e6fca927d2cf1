"""Inside the sandbox: pass connections to a port of its own loopback on to the proxy, and run the agent.

Runs alone, on the standard library: the sandbox shows nothing else of ours. It decides nothing; an agent
that stops or replaces it, or uses the proxy's socket directly, meets the same proxy.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

CHUNK = 1 << 16
LINGER_S = 60.0  # for the other direction, when one side has no more to say
WAITING = 64

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Count = Callable[[int], None]


def _uncounted(size: int) -> None:
    """Count nothing."""


async def relay(
    stream: Stream, other: Stream, *, sent: Count = _uncounted, received: Count = _uncounted
) -> None:
    """Pass bytes in both directions until one fails, both have ended, or one has and the other lingers."""
    ways = [asyncio.create_task(_carry(stream[0], other[1], sent))]
    ways += [asyncio.create_task(_carry(other[0], stream[1], received))]
    try:
        ended, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        if not any(way.exception() for way in ended):
            await asyncio.wait(ways, timeout=LINGER_S)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)


async def flush(writer: asyncio.StreamWriter) -> None:
    """Close a connection when everything is sent, or give up."""
    writer.close()
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(LINGER_S):
            await writer.wait_closed()


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter, count: Count) -> None:
    while data := await source.read(CHUNK):
        count(len(data))
        sink.write(data)
        await sink.drain()
    sink.write_eof()


def variables(port: int, direct: str) -> dict[str, str]:
    """Return the environment by which programs find the proxy, and which hosts they reach without it."""
    proxy = f"http://127.0.0.1:{port}"
    names = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "ALL_PROXY": proxy, "NO_PROXY": direct}
    return {**names, **{name.lower(): value for name, value in names.items()}, "NODE_USE_ENV_PROXY": "1"}


async def _forward(proxy: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        connection = await asyncio.open_unix_connection(proxy)
        await relay((reader, writer), connection)
        await flush(connection[1])
    await flush(writer)


async def _serve(listener: socket.socket, proxy: str) -> None:
    server = await asyncio.start_server(partial(_forward, proxy), sock=listener)
    await server.serve_forever()


def _detach() -> None:
    """Let go of the agent's input and output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)


def main(proxy: str, direct: str, *command: str) -> None:
    """Serve in a process that is no child of the agent, then become the agent."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=WAITING)
    if os.fork() == 0:
        if os.fork() == 0:
            _detach()
            asyncio.run(_serve(listener, proxy))
        os._exit(0)
    os.wait()
    env = {**os.environ, **variables(listener.getsockname()[1], direct)}
    os.execvpe(command[0], command, env)  # noqa: S606  # no shell: these are the agent's words


if __name__ == "__main__":
    main(*sys.argv[1:])
