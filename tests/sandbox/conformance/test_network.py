"""No command has a network: the one way out is a unix socket that it is shown, and it changes nothing."""

import socket
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from steelyard.model.execution import Bind
from steelyard.ports import Sandbox
from tests.sandbox.backends import script
from tests.sandbox.conformance.test_isolation import told


def test_a_unix_socket_that_is_shown_can_be_reached(any_sandbox: Sandbox) -> None:
    source = """
import socket
line = socket.socket(socket.AF_UNIX)
line.connect("here/service.sock")
print(line.recv(100).decode())
"""
    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        path = Path(folder, "service.sock")
        server.bind(str(path))
        server.listen()
        path.chmod(0o666)
        shown = Bind(source=str(path), at="here/service.sock")

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.send(b"hello")

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            result = any_sandbox.run(script(source, binds=(shown,)))
        finally:
            with socket.socket(socket.AF_UNIX) as last, server:
                last.connect(str(path))  # ends a thread that nobody has reached
            thread.join()

    assert result.stdout.decoded() == "hello\n", result.stderr.decoded()


def test_a_command_can_talk_to_itself_over_its_own_loopback(sandbox: Sandbox) -> None:
    source = """
import socket
server = socket.create_server(("127.0.0.1", 0))
line = socket.create_connection(server.getsockname())
line.send(b"hello")
print(server.accept()[0].recv(100).decode())
"""
    assert told(sandbox, source, loopback=True) == "hello"


def test_nothing_of_the_network_can_be_changed(sandbox: Sandbox) -> None:
    source = """
import socket, struct, fcntl
for attempt in (
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 0)),
):
    try: attempt(); print("done")
    except OSError: pass
try: open("/proc/sys/net/ipv4/ip_forward", "w").write("1"); print("done")
except OSError: pass
"""
    assert not told(sandbox, source, loopback=True)
