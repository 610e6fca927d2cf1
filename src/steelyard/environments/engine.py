"""Start containers through the API socket of podman or docker."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from steelyard.environments.connection import Connection, translated_errors
from steelyard.environments.container import DockerContainer
from steelyard.environments.images import Images
from steelyard.environments.owners import OWNER, is_abandoned, owner_labels
from steelyard.errors import SandboxError
from steelyard.model.container import ContainerLimits, Image, ImageSource, Mount

FILES_AND_PROCESSES = (("nofile", 4096), ("nproc", 4096))
NO_NETWORK = "none"


class DockerEngine:
    """An engine that speaks docker's API: podman or docker. Safe to call from many threads."""

    def __init__(self, address: str | None = None) -> None:
        """Connect, and remove the containers of processes that have ended."""
        self._connection = Connection(address)
        self._images = Images(self._connection)
        self._run = secrets.token_hex(8)
        self.sweep()

    def prepare(self, source: ImageSource) -> Image:
        """Return an image, which is built if the engine does not have it."""
        return self._images.prepare(source)

    @contextmanager
    def container(
        self,
        image: Image,
        limits: ContainerLimits,
        *,
        mounts: Sequence[Mount] = (),
        network: str = NO_NETWORK,
    ) -> Iterator[DockerContainer]:
        """Start a container, and remove it at the end."""
        container = self._start(image, limits, mounts, network)
        try:
            yield container
        finally:
            with suppress(SandboxError):  # the next start sweeps it
                container.remove()

    def sweep(self) -> int:
        """Remove the containers that processes of this machine have left behind; return how many."""
        with translated_errors("looking for left containers"):
            listed = self._api.containers(all=True, filters={"label": OWNER})
        abandoned = [item["Id"] for item in listed if is_abandoned(item.get("Labels") or {})]
        for container_id in abandoned:
            with suppress(SandboxError):
                DockerContainer(self._connection, container_id).remove()
        return len(abandoned)

    def close(self) -> None:
        """Close all connections."""
        self._connection.close()

    def describe(self) -> str:
        """Return the engine's name, version and isolation in one line."""
        with translated_errors("reading the engine's version"):
            info = self._api.info()
        options = ", ".join(info.get("SecurityOptions") or ()) or "no security options"
        return f"{info.get('ServerVersion')} on {info.get('OSType')}/{info.get('Architecture')}, {options}"

    @property
    def _api(self) -> Any:  # noqa: ANN401  # the package has no types
        return self._connection.client.api

    def _start(
        self, image: Image, limits: ContainerLimits, mounts: Sequence[Mount], network: str
    ) -> DockerContainer:
        with translated_errors("starting a container"):
            host = self._api.create_host_config(
                init=True,
                network_mode=network,
                mem_limit=limits.memory_bytes,
                memswap_limit=limits.memory_bytes,
                nano_cpus=None if limits.cpus is None else int(limits.cpus * 1e9),
                pids_limit=limits.processes,
                security_opt=["no-new-privileges"],
                ulimits=[{"Name": name, "Soft": most, "Hard": most} for name, most in FILES_AND_PROCESSES],
                binds=[f"{mount.source}:{mount.target}:ro" for mount in mounts],
            )
            created = self._api.create_container(
                image.id,
                ["sleep", str(int(limits.lifetime_s))],
                entrypoint=[],
                user="0",
                labels=owner_labels(self._run),
                host_config=host,
            )
            container = DockerContainer(self._connection, created["Id"])
        try:
            with translated_errors("starting a container"):
                self._api.start(container.id)
        except BaseException:
            with suppress(SandboxError):
                container.remove()
            raise
        return container
