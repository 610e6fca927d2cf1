"""Keep the bundles of an OCI runtime, one for each container, where no other user can write."""

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

# As root the runtime obeys what the state of a container contains: never keep it where others can write.
STATE = Path("/run/steelyard")
CONTROL_GROUPS = Path("/sys/fs/cgroup")
NEEDS_ROOT = "containers need root; as an ordinary user take the bubblewrap sandbox"
NEEDS_GROUPS = "containers need control groups that we may write: memory and processes would have no limit"


class Bundles:
    """Makes bundles for the containers of one runtime, and holds their control groups."""

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
        """Where the runtime keeps the state of its containers, if it is to keep them in one place."""
        return self._folder / "state"

    @contextmanager
    def new(self) -> Iterator[Path]:
        """Lend an empty bundle, named like the container that it is for."""
        bundle = self._folder / f"{self._folder.name}-{next(self._numbers)}"
        bundle.mkdir()
        try:
            yield bundle
        finally:
            shutil.rmtree(bundle)

    def close(self) -> None:
        """Remove everything; happens by itself at the end of the process."""
        self._finalizer()


def write_bundle(bundle: Path, command: Command, runtime: Runtime = RUNC) -> None:
    """Write the file tree and the specification of a container."""
    try:
        fill(bundle / "root", command, runtime)
        text = json.dumps(specification(bundle / "root", command, runtime))
        (bundle / "config.json").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SandboxError(f"no container could be prepared: {error}") from error


def sweep(program: str, prefix: str) -> None:
    """Remove the containers and folders of processes that are no more."""
    for folder in private_folder(STATE).glob(f"{prefix}*"):
        pid = folder.name.removeprefix(prefix).partition("-")[0]
        if Path("/proc", pid).exists():
            continue
        for container in (folder / "state").glob("*"):
            delete = [program, "--root", str(folder / "state"), "delete", "--force", container.name]
            subprocess.run(delete, capture_output=True, check=False)  # noqa: S603  # our own words
        _remove_groups(f"{folder.name}-")
        shutil.rmtree(folder, ignore_errors=True)


def _remove_groups(prefix: str) -> None:
    """Remove the empty control groups of a runtime that was killed before it wrote down that it made them."""
    for folder, names, _ in os.walk(CONTROL_GROUPS):  # passes over what has just gone
        for name in names:
            if name.startswith(prefix):
                with suppress(OSError):
                    Path(folder, name).rmdir()


def _close(groups: GroupPool, folder: Path) -> None:
    groups.close()
    shutil.rmtree(folder, ignore_errors=True)
