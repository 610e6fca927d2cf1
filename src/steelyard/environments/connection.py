"""Connect to the API socket of podman or docker, and translate its errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING

from steelyard.errors import SandboxError, SandboxMissing, install_extra

if TYPE_CHECKING:
    from docker import DockerClient

ADDRESS_VARIABLES = ("DOCKER_HOST", "CONTAINER_HOST")
TIMEOUT_S = 120.0  # of one API call, without the time that a command takes
START_PODMAN = "podman system service --time=0 unix:///run/podman/podman.sock"
CONNECT = f"start dockerd or `{START_PODMAN}`, or set {ADDRESS_VARIABLES[0]} to the address of its socket"


def engine_address() -> str:
    """Return the address of the engine's socket; raises SandboxMissing if there is none."""
    for name in ADDRESS_VARIABLES:
        if address := os.environ.get(name):
            return address
    runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    for path in ("/run/podman/podman.sock", f"{runtime}/podman/podman.sock", "/var/run/docker.sock"):
        if Path(path).is_socket() and os.access(path, os.W_OK):
            return f"unix://{path}"
    raise SandboxMissing(f"no container engine was found; {CONNECT}")


class Connection:
    """Clients of one engine: one for each thread."""

    def __init__(self, address: str | None = None) -> None:
        self.address = address or engine_address()
        self._clients = local()
        self._opened: list[DockerClient] = []  # append is atomic

    @property
    def client(self) -> "DockerClient":
        """The client of this thread."""
        if not hasattr(self._clients, "client"):
            self._clients.client = _connect(self.address, _api_version(self.address))
            self._opened.append(self._clients.client)
        client: DockerClient = self._clients.client
        return client

    def close(self) -> None:
        """Close the connections of all threads."""
        while self._opened:
            self._opened.pop().close()
        self._clients = local()


@contextmanager
def translated_errors(doing: str) -> Iterator[None]:
    """Raise errors of the engine and of its connection as SandboxErrors."""
    from docker.errors import DockerException, ImageNotFound  # noqa: PLC0415  # an extra
    from requests.exceptions import RequestException  # noqa: PLC0415  # comes with docker

    try:
        yield
    except ImageNotFound as error:
        raise SandboxError(f"{doing}: the image does not exist: {_reason(error)}") from error
    except (DockerException, RequestException, OSError) as error:
        raise SandboxError(f"{doing}: the container engine failed: {_reason(error)}") from error


@cache
def _api_version(address: str) -> str:
    client = _connect(address, "auto")
    version: str = client.api._version  # noqa: SLF001  # the negotiated version
    client.close()
    return version


def _connect(address: str, version: str) -> "DockerClient":
    try:
        from docker import DockerClient  # noqa: PLC0415  # an extra
    except ModuleNotFoundError as error:
        raise SandboxMissing(f"containers need the package docker: {install_extra('containers')}") from error
    with translated_errors(f"connecting to {address}"):
        return DockerClient(base_url=address, version=version, timeout=TIMEOUT_S)


def _reason(error: Exception) -> str:
    text = str(getattr(error, "explanation", None) or error)
    return " ".join(text.split())[:400]
