"""Start podman's API service with storage of its own."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

CONFIGURATION = """
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
"""
START_S = 60.0


@dataclass(frozen=True)
class Podman:
    """A service with its address, and the command line for the same storage."""

    address: str
    command: tuple[str, ...]
    env: Mapping[str, str]

    def import_image(self, archive: bytes, name: str) -> None:
        subprocess.run(
            [*self.command, "import", "-", name], input=archive, env=self.env, capture_output=True, check=True
        )


@contextmanager
def podman_service() -> Iterator[Podman]:
    """Serve while the context lasts."""
    with TemporaryDirectory(prefix="steelyard-podman-", dir="/var/tmp") as folder:
        configuration, socket = Path(folder, "containers.conf"), Path(folder, "podman.sock")
        configuration.write_text(CONFIGURATION)
        podman = ("podman", "--root", f"{folder}/root", "--runroot", f"{folder}/run")
        env = {**os.environ, "CONTAINERS_CONF": str(configuration), "BUILDAH_ISOLATION": "oci"}
        address = f"unix://{socket}"
        command = [*podman, "system", "service", "--time=0", address]
        with subprocess.Popen(command, env=env, cwd=folder, stderr=subprocess.DEVNULL) as service:
            try:
                deadline = time.monotonic() + START_S
                while not socket.exists():
                    assert service.poll() is None, "podman's service has ended"
                    assert time.monotonic() < deadline, "podman's service does not start"
                    time.sleep(0.05)
                yield Podman(address, podman, env)
            finally:
                subprocess.run([*podman, "rm", "-af", "-t", "0"], env=env, capture_output=True, check=False)
                subprocess.run([*podman, "rmi", "-af"], env=env, capture_output=True, check=False)
                service.terminate()
