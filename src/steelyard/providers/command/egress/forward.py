"""Inside the sandbox: forward connections from a loopback port to the proxy, and run the agent.

Uses the standard library only: nothing else of Steelyard is visible there. It enforces nothing; an agent that
bypasses it still reaches only the proxy.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

CHUNK = 1 << 16
LINGER_S = 60.0  # for the other direction, after one side has ended
WAITING = 64

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Count = Callable[[int], None]


def _uncounted(size: int) -> None:
    """Count nothing."""


async def relay(
    stream: Stream, other: Stream, *, sent: Count = _uncounted, received: Count = _uncounted
) -> None:
    """Relay bytes both ways until one side fails, both end, or one lingers after the other."""
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
    """Close a connection after sending everything, or on a timeout."""
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
    """Return the proxy variables for programs, and the hosts to reach directly."""
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


def serve(proxy: str) -> None:
    """Serve on a free port of this network namespace, which is printed, until this process is killed."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=WAITING)
    print(listener.getsockname()[1], flush=True)  # noqa: T201  # the result, for the parent
    asyncio.run(_serve(listener, proxy))


def _detach() -> None:
    """Close the agent's input and output."""
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
    os.execvpe(command[0], command, env)  # noqa: S606  # no shell: the agent's own arguments


if __name__ == "__main__":
    main(*sys.argv[1:])
