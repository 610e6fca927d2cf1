"""Reap the processes that a sandbox orphans, and learn from them what they have used.

Bubblewrap leaves as soon as its command has ended, before the first process inside is dead. So that this
one does not stay a zombie on a machine whose init reaps no orphans, as in many containers, we adopt
the orphans of our own children.
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
    """Let orphaned descendants of this process become its children, from now on."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def only_child(pid: int) -> int:
    """Return the one child of a process that must have just one, whichever of its threads started it."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for found in lists for child in found.read_text(encoding="ascii").split()]
    if len(children) != 1:
        raise SandboxError(f"a process of the sandbox has {len(children)} children and not one")
    return children[0]


def reap(handle: int) -> resource.struct_rusage | None:
    """Reap a dead process, known by its pidfd, if it has become ours; returns what it used."""
    try:
        # Looked at first, and left in place: so that the number cannot mean another process meanwhile.
        seen = os.waitid(os.P_PIDFD, handle, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    except ChildProcessError:
        return None
    return os.wait4(seen.si_pid, 0)[2] if seen else None


def reap_strays(pids: Iterable[int]) -> None:
    """Reap those of some dead processes that have become ours."""
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def used(outer: resource.struct_rusage, inner: resource.struct_rusage | None = None) -> GroupUsage:
    """Add up what the process that we started, and the first one inside of it, have used.

    The peak is that of the largest single process.
    """
    known = [count for count in (outer, inner) if count is not None]
    return GroupUsage(
        cpu_s=sum(count.ru_utime + count.ru_stime for count in known),
        peak_memory_bytes=_peak(outer, inner),
    )


def _peak(outer: resource.struct_rusage, inner: resource.struct_rusage | None) -> int | None:
    # A program keeps, as its own, the peak of the process that it was started from: what is no higher than
    # ours says nothing about it.
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peaks = [inner.ru_maxrss] if inner is not None else []
    peaks += [outer.ru_maxrss] if outer.ru_maxrss > ours else []
    return max(peaks) * 1024 if peaks else None
