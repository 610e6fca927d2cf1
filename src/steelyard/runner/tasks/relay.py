"""Give a container without a network a way to the egress proxy, on its own loopback.

The relay runs on this machine, inside the container's network namespace: images need no program for it.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import NEUTRAL_FOLDER
from steelyard.ports import Container

SERVE = "from steelyard.providers.command.egress.forward import serve; import sys; serve(sys.argv[1])"
STOP_S = 5.0


@contextmanager
def relay_into(container: Container, proxy: Path) -> Iterator[int]:
    """Serve on the container's loopback while the context lasts; yield the port."""
    namespace = f"--net=/proc/{container.process_id}/ns/net"
    command = ["nsenter", namespace, sys.executable, "-c", SERVE, str(proxy)]
    try:
        process = subprocess.Popen(  # noqa: S603  # a fixed program
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=NEUTRAL_FOLDER,
        )
    except FileNotFoundError as error:
        raise SandboxError("the network of agents in containers needs `nsenter` (util-linux)") from error
    try:
        yield _read_port(process)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _read_port(process: "subprocess.Popen[bytes]") -> int:
    line = process.stdout.readline().strip() if process.stdout else b""
    if not line.isdigit():
        error = process.stderr.read() if process.stderr else b""
        reason = error.decode("utf-8", "replace").strip().splitlines()
        raise SandboxError(
            "the network of an agent's container cannot be entered; run as root on the engine's machine: "
            f"{reason[-1] if reason else 'no reason given'}"
        )
    return int(line)
