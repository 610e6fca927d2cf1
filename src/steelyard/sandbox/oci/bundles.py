"""Create the bundles of an OCI runtime in a folder that no other user can write."""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from steelyard.errors import SandboxError, SandboxMissing
from steelyard.model.execution import Command
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.groups import GroupPool
from steelyard.sandbox.oci.bundle import RUNC, Runtime, fill, specification
from steelyard.sandbox.private_folder import private_folder

# The runtime executes hooks in a container's state as root: others must not be able to write it.
STATE = Path("/run/steelyard")
CONTROL_GROUPS = Path("/sys/fs/cgroup")
NEEDS_ROOT = "containers need root; as an ordinary user, use --sandbox bubblewrap"
NEEDS_GROUPS = "containers need writable control groups to limit memory and processes; run `steelyard doctor`"


class Bundles:
    """Creates the bundles and control groups of one runtime's containers."""

    def __init__(self, runtime: str, *, prefix: str, missing: str) -> None:
        program = shutil.which(runtime)
        if program is None:
            raise SandboxMissing(missing)
        if os.geteuid() != 0:
            raise SandboxError(NEEDS_ROOT)
        trees = find_cgroups()
        if trees is None:
            raise SandboxError(NEEDS_GROUPS)
        sweep(program, prefix)
        self.program = program
        self.groups = GroupPool(trees)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=private_folder(STATE)))
        self._numbers = itertools.count()
        self._finalizer = weakref.finalize(self, _close, self.groups, self._folder)

    @property
    def state(self) -> Path:
        """The folder for the state of all containers."""
        return self._folder / "state"

    @contextmanager
    def new(self) -> Iterator[Path]:
        """Lend an empty bundle, named like its container."""
        bundle = self._folder / f"{self._folder.name}-{next(self._numbers)}"
        bundle.mkdir()
        try:
            yield bundle
        finally:
            shutil.rmtree(bundle)

    def close(self) -> None:
        """Remove everything; runs automatically at exit."""
        self._finalizer()


def write_bundle(bundle: Path, command: Command, runtime: Runtime = RUNC) -> None:
    """Write the file tree and the specification of a container."""
    try:
        fill(bundle / "root", command, runtime)
        text = json.dumps(specification(bundle / "root", command, runtime))
        (bundle / "config.json").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SandboxError(f"the container could not be prepared: {error}") from error


def sweep(program: str, prefix: str) -> None:
    """Remove the containers and folders of dead processes."""
    for folder in private_folder(STATE).glob(f"{prefix}*"):
        pid = folder.name.removeprefix(prefix).partition("-")[0]
        if Path("/proc", pid).exists():
            continue
        for container in (folder / "state").glob("*"):
            delete = [program, "--root", str(folder / "state"), "delete", "--force", container.name]
            subprocess.run(delete, capture_output=True, check=False)  # noqa: S603  # fixed arguments
        _remove_groups(f"{folder.name}-")
        shutil.rmtree(folder, ignore_errors=True)


def _remove_groups(prefix: str) -> None:
    """Remove empty control groups of a runtime that was killed before it recorded them."""
    for folder, names, _ in os.walk(CONTROL_GROUPS):  # skips folders removed meanwhile
        for name in names:
            if name.startswith(prefix):
                with suppress(OSError):
                    Path(folder, name).rmdir()


def _close(groups: GroupPool, folder: Path) -> None:
    groups.close()
    shutil.rmtree(folder, ignore_errors=True)
