"""Sum the processor time of a command's processes where there is no control group.

They descend from the first process of the sandbox, which adopts orphans. Memory is not summed: a program can
fill gigabytes between two samples, so sampling would limit nothing.
"""

import os
from collections.abc import Iterator
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_TIMES = slice(11, 15)  # fields after the name: utime, stime, cutime, cstime


class ProcessTree:
    """A process and its descendants."""

    def __init__(self, first: int, proc: Path = Path("/proc")) -> None:
        self._first = first
        self._proc = proc

    def members(self) -> list[int]:
        """Return the ids of the running processes."""
        members, pending = list[int](), [self._first]
        while pending:
            pid = pending.pop()
            members.append(pid)
            pending += self._children(pid)
        return members

    def cpu_s(self) -> float:
        """Return the processor time of all processes, ended ones included."""
        return sum(sum(self._times(pid)) for pid in self.members()) / TICKS_PER_S

    def _children(self, pid: int) -> Iterator[int]:
        try:
            for thread in (self._proc / str(pid) / "task").iterdir():
                yield from map(int, (thread / "children").read_text(encoding="ascii").split())
        except OSError:  # the process has ended
            return

    def _times(self, pid: int) -> list[int]:
        try:
            stat = (self._proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:  # the process has ended
            return []
        return [int(ticks) for ticks in stat.rpartition(") ")[2].split()[_TIMES]]
