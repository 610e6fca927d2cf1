"""Find out where on this machine control groups can be made."""

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
CONTROLLERS = ("cgroup.controllers", "cgroup.subtree_control")  # what there is, and what groups below have


@cache
def find_cgroups(proc: Path = Path("/proc/self")) -> Trees | None:
    """Return where groups can be made and filled, tried out with a real process, or None."""
    return next((trees for trees in candidates(proc) if _works(trees)), None)


def candidates(proc: Path) -> Iterator[Trees]:
    """Yield where groups might be made, by the files of this process in /proc."""
    own = _own_groups(proc)
    mounts = dict(_mounts(proc))
    if unified := mounts.get("cgroup2"):
        here = unified.folder_of(own.get("", "/"))
        # A sibling if not a child: a group that holds processes may not delegate memory to groups below it.
        for folder in (here, here.parent):
            if _shares_out(folder):
                yield TreeV2(folder=folder)
    if mounts.keys() & own.keys() >= set(NEEDED_V1):
        yield TreesV1(*(mounts[name].folder_of(own[name]) for name in NEEDED_V1))


def sweep(trees: Trees) -> None:
    """Remove the empty groups of processes that are no more, but never those of another container."""
    prefix = group_prefix()
    for folder in trees.folders:
        for group in folder.glob(f"{prefix}*"):
            pid = group.name.removeprefix(prefix).partition("-")[0]
            if pid.isdigit() and not Path(f"/proc/{pid}").exists():
                with suppress(OSError):
                    group.rmdir()


def _lines(path: Path) -> list[str]:
    """Return the lines of a file in /proc; none where it is not there, as without control groups.

    Other users may mount something at a path that is no text, or that has in it what ends a line elsewhere.
    """
    with suppress(OSError):
        return [line for line in os.fsdecode(path.read_bytes()).split("\n") if line]
    return []


def _own_groups(proc: Path) -> dict[str, str]:
    """Return our group in each tree, by the name of the controller; the tree of version 2 has no name."""
    split = (line.split(":", 2) for line in _lines(proc / "cgroup"))
    return {name: path for _, names, path in split for name in names.split(",")}


@dataclass(frozen=True, slots=True)
class _Mount:
    """Where a tree is mounted, and which of its groups lies there: in a container often not the topmost."""

    where: Path
    root: str

    def folder_of(self, group: str) -> Path:
        below = group.removeprefix(self.root) if _is_below(group, self.root) else group
        return self.where / below.lstrip("/")


def _is_below(group: str, root: str) -> bool:
    return group == root or group.startswith(f"{root}/")


def _mounts(proc: Path) -> Iterator[tuple[str, _Mount]]:
    """Return where each controller's tree is mounted; version 2 goes by the name cgroup2."""
    for line in _lines(proc / "mountinfo"):
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        _, _, _, root, where, *_ = left.split(" ")
        mount = _Mount(Path(where), root)
        if kind == "cgroup2":
            yield "cgroup2", mount
        elif kind == "cgroup":
            yield from ((name, mount) for name in options.rsplit(" ", 1)[-1].split(","))


def _shares_out(folder: Path) -> bool:
    """Whether groups below a folder have limits on memory and processes, asking for them where we may."""
    there, given = (_words(folder / name) for name in CONTROLLERS)
    if not given >= NEEDED_V2 and not (there >= NEEDED_V2 and _asked(folder, "+memory +pids")):
        return False
    # Each group gets the same share of the processors, where we may ask for that. Never before memory: a
    # group that holds processes may share out the processors alone, and then memory never again.
    if "cpu" in there - given:
        _asked(folder, "+cpu")
    return True


def _words(path: Path) -> set[str]:
    with suppress(OSError):
        return set(path.read_text(encoding="ascii").split())
    return set()


def _asked(folder: Path, controllers: str) -> bool:
    """Ask for controllers in the groups below a folder; whether the kernel gave them."""
    try:
        (folder / "cgroup.subtree_control").write_text(controllers, encoding="ascii")
    except OSError:
        return False
    return True


def _works(trees: Trees) -> bool:
    """Whether a group can be made, limited, filled and removed here."""
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
