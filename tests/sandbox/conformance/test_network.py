"""A command that may use the network: it reaches this machine's, and is isolated in everything else."""

import os
import socket
import threading
from pathlib import Path

import pytest

from steelyard.ports import Sandbox
from steelyard.sandbox.networking import certificates, network_names
from tests.sandbox.backends import script
from tests.sandbox.conformance.test_isolation import told

CONNECT = """
import socket, sys
for host in ("127.0.0.1", "localhost"):
    try:
        with socket.create_connection((host, int(sys.argv[1])), timeout=5) as line:
            print(line.recv(100).decode())
    except OSError:
        print("nobody")
"""


def answered(sandbox: Sandbox, *, network: bool) -> str:
    """Return what a script hears from a server on this machine's loopback, by address and by name."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        server.settimeout(0.01)
        command = script(CONNECT, str(server.getsockname()[1]), network=network)
        done = threading.Event()

        def serve() -> None:
            while not done.is_set():
                try:
                    line, _ = server.accept()
                except TimeoutError:
                    continue
                with line:
                    line.send(b"hello")

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            result = sandbox.run(command)
        finally:
            done.set()
            thread.join()
    assert result.exit_code == 0, result.stderr.decoded()
    return result.stdout.decoded().strip().replace("\n", " ")


def test_the_network_is_there_for_who_may_use_it(any_sandbox: Sandbox) -> None:
    assert answered(any_sandbox, network=True) == "hello hello"


def test_the_network_is_not_there_for_anybody_else(sandbox: Sandbox) -> None:
    assert answered(sandbox, network=False) == "nobody nobody"


def test_names_and_certificates_are_there_and_no_other_file_of_this_machine(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "secret")
    (tmp_path / "file").write_text("secret", encoding="utf-8")
    source = f"""
import os
print(sorted(name for name in os.listdir("/etc") if os.path.isfile(f"/etc/{{name}}")))
print(all(os.listdir(folder) for folder in {certificates()!r}), "dns" in open("/etc/nsswitch.conf").read())
for path in ({str(tmp_path / "file")!r}, "/etc/shadow", "/etc/ssl/private", "/proc/1/environ"):
    try: print(os.listdir(path) if os.path.isdir(path) else "secret" in open(path).read() or "")
    except OSError: pass
print("SECRET_API_KEY" in os.environ)
"""
    names = {"group", "ld.so.cache", "passwd", *(Path(path).name for path in network_names())}

    seen = [line for line in told(sandbox, source, network=True).split("\n") if line not in {"", "[]"}]

    assert seen == [str(sorted(names)), "True True", "False"]


def test_sockets_of_this_machines_services_are_out_of_reach_by_their_abstract_names(sandbox: Sandbox) -> None:
    name = f"\0steelyard-network-{os.getpid()}"
    source = f"""
import socket
try:
    socket.socket(socket.AF_UNIX).connect({name!r})
    print("reached")
except OSError: pass
here, there = socket.socketpair()
here.send(b"pairs work")
print(there.recv(100).decode())
"""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()

        assert told(sandbox, source, network=True) == "pairs work"


def test_nothing_of_the_network_can_be_changed(sandbox: Sandbox) -> None:
    source = """
import socket, struct, fcntl
for attempt in (
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.create_server(("127.0.0.1", 1)),
    lambda: fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 0)),
):
    try: attempt(); print("done")
    except OSError: pass
try: open("/proc/sys/net/ipv4/ip_forward", "w").write("1"); print("done")
except OSError: pass
"""
    assert not told(sandbox, source, network=True)


def test_a_machine_without_names_or_certificates_gives_what_it_has(tmp_path: Path) -> None:
    assert list(network_names(copied=(str(tmp_path / "none"),))) == ["/etc/nsswitch.conf"]
    assert not certificates((str(tmp_path / "none"),))
