"""The proxy lets through what is listed and nothing else, counts everything, and leaves nothing behind."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, allow_list
from steelyard.providers.command.egress.forward import CHUNK
from steelyard.providers.command.egress.log import EgressVerdict, HostRequests
from steelyard.providers.command.egress.proxy import Bounds, EgressProxy
from tests.providers.command.egress.internet import (
    HELLO,
    OWN,
    PUBLIC,
    Internet,
    asked,
    asked_once,
    internet,
    is_public,
)
from tests.providers.command.egress.tries import LISTED, NAMES, TRIES, connect, get
from tests.sandbox.traces import left_since, traces

STATUS = {
    "allowed": b"200",
    "not_listed": b"403",
    "not_public": b"403",
    "malformed": b"400",
    "unknown_host": b"502",
    "unreachable": b"502",
}


@pytest.fixture
def net() -> Iterator[Internet]:
    with internet(NAMES) as served:
        yield served


@pytest.fixture
def closed() -> Iterator[int]:
    """A port at which nobody listens, and nobody else can."""
    with socket.socket() as taken:
        taken.bind((PUBLIC, 0))
        yield taken.getsockname()[1]


def with_ports(text: str, net: Internet, closed: int = 1) -> str:
    return text.replace(":P", f":{net.port}").replace(":+P", f":+{net.port}").replace(":C", f":{closed}")


def requested(text: str, net: Internet) -> bytes:
    return with_ports(text, net).encode()


@pytest.mark.parametrize(("verdict", "request_text"), TRIES, ids=[f"{v}: {t[:60]!r}" for v, t in TRIES])
def test_only_what_is_listed_comes_through(
    verdict: str, request_text: str, net: Internet, closed: int
) -> None:
    proxy = net.proxy(*(with_ports(entry, net, closed) for entry in LISTED))

    response = asked_once(proxy, with_ports(request_text, net, closed).encode())

    (entry,) = proxy.log.entries
    assert (entry.verdict, entry.requests) == (verdict, 1)
    assert response.startswith(b"HTTP/1.1 " + STATUS[verdict])
    assert not net.heads[OWN]
    assert len(net.heads[PUBLIC]) == (verdict == "allowed")
    assert response.endswith(b"hello") == (verdict == "allowed")
    assert bool(entry.bytes_sent and entry.bytes_received) == (verdict == "allowed")


def test_there_are_more_than_enough_tries() -> None:
    assert len(TRIES) == len(set(TRIES)) >= 120


def test_a_name_that_changes_its_address_gains_nothing(net: Internet) -> None:
    answers = iter([[PUBLIC], [OWN], [PUBLIC], [OWN]])

    proxy = EgressProxy(
        allow_list([f"rebound.example:{net.port}"]), resolve=lambda *_: next(answers), is_public=is_public
    )

    async def four_times() -> list[bytes]:
        async with proxy:
            return [await asked(proxy, requested(connect("rebound.example:P"), net)) for _ in range(4)]

    came_back = asyncio.run(four_times())

    assert [response[9:12] for response in came_back] == [b"200", b"403", b"200", b"403"]
    assert list(answers) == []  # asked once for each request: what was checked is what is used
    assert (len(net.heads[PUBLIC]), net.heads[OWN]) == (2, [])


def test_a_host_that_is_not_listed_is_not_even_looked_up(net: Internet) -> None:
    asked_once(net.proxy("files.example"), requested(connect("secret-data.evil.example:P"), net))

    assert net.looked_up == []


def test_a_plain_request_reaches_the_server_in_its_own_form(net: Internet) -> None:
    text = get(
        "http://files.example:P/a?b=c", "Proxy-Authorization: Basic x", "Connection: keep-alive", "X: 1"
    )

    asked_once(
        net.proxy(f"files.example:{net.port}"), requested(text.replace("Host: files", "Host: evil"), net)
    )

    expected = f"GET /a?b=c HTTP/1.1\r\nHost: files.example:{net.port}\r\nX: 1\r\nConnection: close\r\n\r\n"
    assert net.heads[PUBLIC] == [expected.encode()]


def test_bytes_are_counted_each_way(net: Internet) -> None:
    proxy = net.proxy(f"files.example:{net.port}")

    async def twice() -> None:
        async with proxy:
            for _ in range(2):
                await asked(proxy, requested(connect("files.example:P"), net))

    asyncio.run(twice())

    sent = len("GET / HTTP/1.1\r\nHost: inner\r\n\r\n")
    assert proxy.log.entries == [
        HostRequests(
            host="files.example",
            port=net.port,
            verdict=EgressVerdict.ALLOWED,
            requests=2,
            bytes_sent=2 * sent,
            bytes_received=2 * len(HELLO),
        )
    ]


@pytest.mark.parametrize("host", [OWN, "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "2130706433"])
def test_every_public_host_does_not_include_this_machine_or_its_network(host: str, net: Internet) -> None:
    proxy = EgressProxy(ANY_PUBLIC)  # with the real resolver and the real judge of addresses

    response = asked_once(proxy, requested(connect(f"{host}:P"), net))

    assert response.startswith(b"HTTP/1.1 403")
    assert not net.heads[OWN]


def test_every_public_host_is_reached_at_every_port(net: Internet) -> None:
    proxy = net.make_proxy()(ANY_PUBLIC)

    async def by_name_and_address() -> list[bytes]:
        async with proxy:
            return [
                await asked(proxy, requested(connect(f"{host}:P"), net)) for host in ("evil.example", PUBLIC)
            ]

    assert [response[-5:] for response in asyncio.run(by_name_and_address())] == [b"hello", b"hello"]


def test_an_address_that_the_user_writes_out_with_its_port_may_be_private(net: Internet) -> None:
    proxy = net.proxy(f"{OWN}:{net.port}")

    assert asked_once(proxy, requested(connect(f"{OWN}:P"), net)).endswith(b"hello")
    assert asked_once(net.proxy(f"{OWN}:1"), requested(connect(f"{OWN}:P"), net)).startswith(b"HTTP/1.1 403")


def test_too_many_connections_at_a_time_are_refused_and_the_others_go_on(net: Internet) -> None:
    proxy = net.proxy(f"files.example:{net.port}", bounds=Bounds(connections=2))

    async def hold_two_and_ask() -> tuple[bytes, bytes]:
        async with proxy:
            held = [await asyncio.open_unix_connection(proxy.path) for _ in range(2)]
            refused = await asked(proxy, requested(connect("files.example:P"), net))
            held[0][1].write(requested(connect("files.example:P"), net))
            held[0][1].write_eof()
            answered = await held[0][0].read()
            for _, writer in held:
                writer.close()
            return refused, answered

    refused, answered = asyncio.run(hold_two_and_ask())

    assert refused.startswith(b"HTTP/1.1 503")
    assert answered.endswith(b"hello")


def test_too_many_requests_end_the_proxy(net: Internet) -> None:
    proxy = net.proxy(f"files.example:{net.port}", bounds=Bounds(requests=2))

    async def four_times() -> list[bytes]:
        came_back = []
        async with proxy:
            for _ in range(4):
                try:
                    came_back.append(await asked(proxy, requested(connect("files.example:P"), net)))
                except OSError:
                    came_back.append(b"nobody")
        return came_back

    came_back = asyncio.run(four_times())

    assert [response[-5:] for response in came_back[:2]] == [b"hello", b"hello"]
    assert came_back[2].startswith(b"HTTP/1.1 503")
    assert came_back[3] == b"nobody"


def test_too_many_bytes_end_the_connection(net: Internet) -> None:
    bounds = Bounds(total_bytes=3 * CHUNK)
    proxy = net.proxy(f"files.example:{net.port}", bounds=bounds)
    flood = requested(connect("files.example:P").replace("GET /", "GET /sink"), net) + bytes(40 * CHUNK)

    async def flooded() -> bytes:
        async with proxy:
            await asked(proxy, flood)
            return await asked(proxy, requested(connect("files.example:P"), net))

    after = asyncio.run(flooded())

    allowed, over = proxy.log.entries[:2]
    assert allowed.bytes_sent + allowed.bytes_received <= bounds.total_bytes
    assert (over.host, over.verdict) == ("files.example", EgressVerdict.OVER_LIMIT)
    assert after.startswith(b"HTTP/1.1 503")


def test_a_request_that_never_ends_is_given_up(net: Internet) -> None:
    proxy = net.proxy("files.example", bounds=Bounds(head_s=0.2))

    async def say_nothing() -> bytes:
        async with proxy:
            reader, writer = await asyncio.open_unix_connection(proxy.path)
            writer.write(b"CONNECT files.example:443 HTTP/1.1\r\n")
            response = await reader.read()
            writer.close()
            return response

    assert asyncio.run(say_nothing()).startswith(b"HTTP/1.1 400")


def test_a_name_whose_lookup_never_ends_is_given_up() -> None:
    over = threading.Event()

    def never(host: str, port: int) -> Sequence[str]:
        over.wait(60)
        return [PUBLIC]

    proxy = EgressProxy(ANY_PUBLIC, resolve=never, bounds=Bounds(connect_s=0.2))
    try:
        assert asked_once(proxy, connect("slow.example:443").encode()).startswith(b"HTTP/1.1 502")
    finally:
        over.set()


def test_a_port_that_no_machine_has_is_refused_even_where_every_host_is_allowed() -> None:
    proxy = EgressProxy(ANY_PUBLIC)

    assert asked_once(proxy, connect("8.8.8.8:65536").encode()).startswith(b"HTTP/1.1 400")
    assert [entry.verdict for entry in proxy.log.entries] == [EgressVerdict.MALFORMED]


def test_what_an_agent_asks_for_in_its_last_moment_is_logged() -> None:
    asked_for, over = threading.Event(), threading.Event()

    def slow(host: str, port: int) -> Sequence[str]:
        asked_for.set()
        over.wait(60)
        return [PUBLIC]

    proxy = EgressProxy(ANY_PUBLIC, resolve=slow)

    async def ask_and_leave() -> None:
        async with proxy:
            _, writer = await asyncio.open_unix_connection(proxy.path)
            writer.write(connect("secret-data.example:443").encode())
            await asyncio.to_thread(asked_for.wait, 60)
        writer.close()

    try:
        asyncio.run(ask_and_leave())
    finally:
        over.set()

    assert [(entry.host, entry.verdict) for entry in proxy.log.entries] == [
        ("secret-data.example", EgressVerdict.UNREACHABLE)
    ]


def test_connections_that_are_refused_at_once_are_counted_too(net: Internet) -> None:
    proxy = net.proxy(f"files.example:{net.port}", bounds=Bounds(connections=1, requests=4))

    async def hold_one_and_knock() -> list[str]:
        seen = []
        async with proxy:
            _, held = await asyncio.open_unix_connection(proxy.path)
            for _ in range(6):
                try:
                    response = await asked(proxy, requested(connect("files.example:P"), net))
                    seen.append(response[9:12].decode())
                except OSError:
                    seen.append("closed")
            held.close()
        return seen

    assert asyncio.run(hold_one_and_knock()) == ["503", "503", "503", "503", "closed", "closed"]


def test_the_end_closes_open_connections_and_leaves_nothing(net: Internet) -> None:
    proxy = net.proxy(f"files.example:{net.port}")
    before = traces()

    async def leave_open() -> tuple[bytes, Path]:
        async with proxy:
            silent = await asyncio.open_unix_connection(proxy.path)
            tunnel = await asyncio.open_unix_connection(proxy.path)
            tunnel[1].write(requested("CONNECT files.example:P HTTP/1.1\r\n\r\n", net))
            await tunnel[0].readuntil(b"\r\n\r\n")
            path = proxy.path
        rest = await tunnel[0].read()
        for _, writer in (silent, tunnel):
            writer.close()
        return rest, path

    rest, path = asyncio.run(leave_open())

    assert rest == b""
    assert not path.parent.exists()
    assert left_since(before, traces) == {}


def test_no_other_user_can_enter_the_folder_of_the_socket(net: Internet) -> None:
    proxy = net.proxy()

    async def mode() -> int:
        async with proxy:
            return proxy.path.parent.stat().st_mode & 0o777

    assert asyncio.run(mode()) == 0o700


def test_the_path_of_the_socket_may_be_longer_than_addresses_of_sockets_are(
    net: Internet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    proxy = net.proxy()

    async def is_there() -> bool:
        async with proxy:
            return proxy.path.is_socket()

    assert asyncio.run(is_there())
