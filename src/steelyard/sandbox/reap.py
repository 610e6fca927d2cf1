"""Reap the processes that a sandbox orphans and collect their usage.

Bubblewrap exits before the first process inside is dead. Where init reaps no orphans, as in many containers,
that process would stay a zombie; so this process adopts the orphans of its children.
"""

import ctypes
import os
import resource
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.sandbox.cgroups.groups import GroupUsage

SET_CHILD_SUBREAPER = 36


@cache
def adopt_orphans() -> None:
    """Make this process adopt its orphaned descendants."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def only_child(pid: int) -> int:
    """Return the only child of a process, started by any of its threads."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for path in lists for child in path.read_text(encoding="ascii").split()]
    if len(children) != 1:
        raise SandboxError(f"a process of the sandbox has {len(children)} children; expected one")
    return children[0]


def reap(handle: int) -> resource.struct_rusage | None:
    """Reap a dead process by its pidfd if it was adopted; return its usage."""
    try:
        # WNOWAIT keeps the zombie, so its pid cannot be reused before it is reaped.
        zombie = os.waitid(os.P_PIDFD, handle, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    except ChildProcessError:
        return None
    return os.wait4(zombie.si_pid, 0)[2] if zombie else None


def reap_strays(pids: Iterable[int]) -> None:
    """Reap the processes that were adopted."""
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def total_usage(outer: resource.struct_rusage, inner: resource.struct_rusage | None = None) -> GroupUsage:
    """Sum the usage of the started process and of the first one inside it.

    The peak is that of the largest single process.
    """
    counts = [count for count in (outer, inner) if count is not None]
    return GroupUsage(
        cpu_s=sum(count.ru_utime + count.ru_stime for count in counts),
        peak_memory_bytes=_peak(outer, inner),
    )


def _peak(outer: resource.struct_rusage, inner: resource.struct_rusage | None) -> int | None:
    # A program inherits the peak of the process that forked it: a peak below our own is not its own.
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peaks = [inner.ru_maxrss] if inner is not None else []
    peaks += [outer.ru_maxrss] if outer.ru_maxrss > ours else []
    return max(peaks) * 1024 if peaks else None
