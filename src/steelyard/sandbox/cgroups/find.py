"""Find where this process can create control groups."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.model.execution import Limits
from steelyard.sandbox.cgroups.groups import Trees, TreesV1, TreeV2, group_prefix

NEEDED_V1 = ("memory", "pids", "cpuacct", "cpu")
NEEDED_V2 = {"memory", "pids"}
CONTROLLERS = ("cgroup.controllers", "cgroup.subtree_control")  # available; enabled for child groups


@cache
def find_cgroups(proc: Path = Path("/proc/self")) -> Trees | None:
    """Return where groups work, tested with a real process, or None."""
    return next((trees for trees in candidates(proc) if _works(trees)), None)


def candidates(proc: Path) -> Iterator[Trees]:
    """Yield where groups might be created, according to /proc."""
    own = _own_groups(proc)
    mounts = dict(_mounts(proc))
    if unified := mounts.get("cgroup2"):
        here = unified.folder_of(own.get("", "/"))
        # A sibling if not a child: a group with processes cannot enable memory for child groups.
        for folder in (here, here.parent):
            if _enables_limits(folder):
                yield TreeV2(folder=folder)
    if mounts.keys() & own.keys() >= set(NEEDED_V1):
        yield TreesV1(*(mounts[name].folder_of(own[name]) for name in NEEDED_V1))


def sweep(trees: Trees) -> None:
    """Remove the empty groups of dead processes, but never those of another container."""
    prefix = group_prefix()
    for folder in trees.folders:
        for group in folder.glob(f"{prefix}*"):
            pid = group.name.removeprefix(prefix).partition("-")[0]
            if pid.isdigit() and not Path(f"/proc/{pid}").exists():
                with suppress(OSError):
                    group.rmdir()


def _lines(path: Path) -> list[str]:
    """Return the lines of a file in /proc, none if it is missing.

    Mount points of other users may contain bytes that are not UTF-8, or Unicode line ends.
    """
    with suppress(OSError):
        return [line for line in os.fsdecode(path.read_bytes()).split("\n") if line]
    return []


def _own_groups(proc: Path) -> dict[str, str]:
    """Return this process's group by controller; that of version 2 has an empty name."""
    split = (line.split(":", 2) for line in _lines(proc / "cgroup"))
    return {name: path for _, names, path in split for name in names.split(",")}


@dataclass(frozen=True, slots=True)
class _Mount:
    """A mounted tree and the group at its root, in a container often not the topmost."""

    where: Path
    root: str

    def folder_of(self, group: str) -> Path:
        below = group.removeprefix(self.root) if _is_below(group, self.root) else group
        return self.where / below.lstrip("/")


def _is_below(group: str, root: str) -> bool:
    return group == root or group.startswith(f"{root}/")


def _mounts(proc: Path) -> Iterator[tuple[str, _Mount]]:
    """Yield the mount of each controller's tree; version 2 is named cgroup2."""
    for line in _lines(proc / "mountinfo"):
        left, _, right = line.partition(" - ")
        filesystem, _, options = right.split(" ", 2)
        _, _, _, root, where, *_ = left.split(" ")
        mount = _Mount(Path(where), root)
        if filesystem == "cgroup2":
            yield "cgroup2", mount
        elif filesystem == "cgroup":
            yield from ((name, mount) for name in options.rsplit(" ", 1)[-1].split(","))


def _enables_limits(folder: Path) -> bool:
    """Whether child groups can limit memory and processes; enables the controllers if possible."""
    available, enabled = (_words(folder / name) for name in CONTROLLERS)
    if not enabled >= NEEDED_V2 and not (available >= NEEDED_V2 and _enable(folder, "+memory +pids")):
        return False
    # Gives each group an equal share of the processors. Never before memory: a group with processes can
    # enable cpu alone, and could then never enable memory.
    if "cpu" in available - enabled:
        _enable(folder, "+cpu")
    return True


def _words(path: Path) -> set[str]:
    with suppress(OSError):
        return set(path.read_text(encoding="ascii").split())
    return set()


def _enable(folder: Path, controllers: str) -> bool:
    """Enable controllers for child groups; return whether the kernel allowed it."""
    try:
        (folder / "cgroup.subtree_control").write_text(controllers, encoding="ascii")
    except OSError:
        return False
    return True


def _works(trees: Trees) -> bool:
    """Whether a group can be created, limited, joined and removed here."""
    try:
        sweep(trees)
        group = trees.make(f"{group_prefix(os.getpid())}-probe-{time.monotonic_ns():x}")
    except OSError:
        return False
    try:
        group.begin(Limits())
        with subprocess.Popen(["/bin/sleep", "10"]) as process:
            try:
                group.join(process.pid)
            finally:
                process.kill()
    except OSError:
        return False
    else:
        return True
    finally:
        with suppress(OSError):
            group.remove()
