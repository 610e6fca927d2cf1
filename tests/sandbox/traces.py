"""Count what a sandbox could leave behind on this machine."""

import gc
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from steelyard.sandbox.cgroups.groups import group_prefix
from steelyard.sandbox.oci.bundles import STATE
from tests.patience import PATIENCE_S

RAY_NAMES = ("(raylet", "(gcs_server")
RAY_MARKS = (b"/ray/", b"ray::")


@dataclass(frozen=True)
class Traces:
    """What belongs to this process or could come from it."""

    descriptors: int
    processes: int
    mounts: int
    files: int
    groups: int


def traces(*, groups: bool = False, zombies: bool = True) -> Traces:
    """Count open descriptors, descendants, mounts, temporary files and, if asked, control groups of ours."""
    gc.collect()  # what an earlier test let go must not make room for what this one leaves
    mine = f"{group_prefix(os.getpid())}-"
    own_name = re.compile(rf"steelyard.*\b{os.getpid()}\b")  # not that of 1234 where this is 123
    return Traces(
        descriptors=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        processes=len(descendants(os.getpid(), zombies=zombies)),
        mounts=len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()),
        files=sum(
            own_name.match(path.name) is not None
            for folder in (Path(tempfile.gettempdir()), STATE)
            for path in folder.glob("steelyard*")
        ),
        groups=sum(name.startswith(mine) for name in control_groups()) if groups else 0,
    )


def left_since(
    before: Traces, look: Callable[[], Traces], *, patience_s: float = PATIENCE_S
) -> dict[str, int]:
    """Return of what there is more than before, and how much; wait for it to go until patience is at its end.

    What was killed a moment ago takes a moment to go; a trace is what stays.
    """
    until = time.monotonic() + patience_s
    while (more := _growth(before, look())) and time.monotonic() < until:
        time.sleep(0.05)
    return more


def _growth(before: Traces, now: Traces) -> dict[str, int]:
    old, new = asdict(before), asdict(now)
    return {what: new[what] - old[what] for what in old if new[what] > old[what]}


def control_groups() -> Iterator[str]:
    """Give the names of this machine's control groups; those of others come and go meanwhile."""
    for _, folders, _ in os.walk("/sys/fs/cgroup"):  # passes over what has just gone
        yield from folders


def descendants(pid: int, *, zombies: bool = True) -> set[int]:
    """Return the processes that descend from one, with or without zombies.

    Those of Ray, which another test of the same worker may have started, come and go as Ray likes.
    """
    parents: dict[int, list[int]] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (process / "stat").read_text(encoding="utf-8").rpartition(")")
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        fields = rest.split()
        if fields[0] == "Z" and not zombies:
            continue
        if name.endswith(RAY_NAMES) or any(mark in words for mark in RAY_MARKS):
            continue
        parents.setdefault(int(fields[1]), []).append(int(process.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found.update(children)
        waiting.extend(children)
    return found


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
