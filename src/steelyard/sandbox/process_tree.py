"""Count what a command and all that it started use, where no control group does it.

Everything in a sandbox descends from its first process, which also takes in what others leave behind.
"""

import os
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")  # in a second
KIB = 1024
_TIMES = slice(11, 15)  # behind the name: user and system time, and those of children that have ended
_HELD = ("Pss_Anon:", "Pss_Shmem:")  # what several processes share counts once


class ProcessTree:
    """A process and its descendants."""

    def __init__(self, first: int, proc: Path = Path("/proc")) -> None:
        self._first = first
        self._proc = proc

    def members(self) -> list[int]:
        """Return the processes that there are now."""
        found, waiting = list[int](), [self._first]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += self._children(pid)
        return found

    def cpu_s(self) -> float:
        """Return how long all of them have computed together, with what has ended already."""
        return sum(sum(self._times(pid)) for pid in self.members()) / TICKS

    def memory_bytes(self) -> int:
        """Return the memory of all of them together, shared memory included."""
        return sum(self._held(pid) for pid in self.members())

    def _children(self, pid: int) -> Iterator[int]:
        try:
            for thread in (self._proc / str(pid) / "task").iterdir():
                yield from map(int, (thread / "children").read_text(encoding="ascii").split())
        except OSError:  # it has just ended
            return

    def _times(self, pid: int) -> list[int]:
        text = self._read(pid, "stat")
        return [int(word) for word in text.rpartition(") ")[2].split()[_TIMES]]

    def _held(self, pid: int) -> int:
        lines = self._read(pid, "smaps_rollup").splitlines()
        return sum(int(line.split()[1]) * KIB for line in lines if line.startswith(_HELD))

    def _read(self, pid: int, name: str) -> str:
        try:
            return (self._proc / str(pid) / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
