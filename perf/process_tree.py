"""Weigh a command with everything it starts: seconds, processor seconds, peak memory.

Reads /proc, so Linux only. Memory is the proportional share of each process, added up, so that pages which
processes share count once.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
LOOK_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """What a command took."""

    seconds: float
    cpu_seconds: float
    peak_mib: float
    load: float  # of the machine just before, to tell a quiet moment from a busy one
    output: bytes
    curve: tuple[tuple[float, float], ...] = ()  # seconds since the start, MiB


@dataclass(slots=True)
class _Tree:
    """The processes below one, as seen so far; one that lost its parent is still followed.

    A process is known by its number and its start, since the system gives numbers out again.
    """

    root: int
    ticks: dict[tuple[int, int], int] = field(default_factory=dict)
    peak_kib: int = 0
    began: float = field(default_factory=time.perf_counter)
    curve: list[tuple[float, float]] = field(default_factory=list)

    def look(self) -> None:
        """Note what is there now."""
        present = _processes()
        alive = self.members(present)
        for pid in alive:
            seen = present[pid]
            self.ticks[pid, seen.start] = max(self.ticks.get((pid, seen.start), 0), seen.ticks)
        kib = sum(map(_share_kib, alive))
        self.peak_kib = max(self.peak_kib, kib)
        self.curve.append((round(time.perf_counter() - self.began, 1), round(kib / 1024, 1)))

    def members(self, present: Mapping[int, "_Process"]) -> set[int]:
        """Return who of those present belongs to the tree."""
        found = {pid for pid, seen in present.items() if pid == self.root or (pid, seen.start) in self.ticks}
        grown = True
        while grown:
            fresh = {pid for pid, seen in present.items() if seen.parent in found and pid not in found}
            found |= fresh
            grown = bool(fresh)
        return found

    def end(self) -> None:
        """End every process of the tree that is still there, the root last."""
        for pid in sorted(self.members(_processes()), key=lambda pid: pid == self.root):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class _Process(NamedTuple):
    """What /proc says about a process."""

    parent: int
    start: int
    ticks: int


def weigh(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    limit_s: float = 900,
    look_s: float = LOOK_S,
) -> Weight | None:
    """Run a command to its end and weigh it; None if it did not end in time."""
    load = os.getloadavg()[0]
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(env or {})}
    )
    tree, ended = _Tree(process.pid), threading.Event()
    looking = threading.Thread(target=_keep_looking, args=(tree, ended, look_s), daemon=True)
    looking.start()
    before = os.times()
    try:
        output, told = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        tree.end()
        process.communicate()
        return None
    finally:
        ended.set()
        looking.join()
    seconds = time.perf_counter() - started
    after = os.times()
    if process.returncode:
        raise SystemExit(
            f"{' '.join(command)[:300]}\nended with {process.returncode}:\n{told.decode()[-3000:]}"
        )
    # What ended was waited for and is counted by the system; what lives on or was orphaned, only by looking.
    waited = after.children_user + after.children_system - before.children_user - before.children_system
    return Weight(
        seconds=seconds,
        cpu_seconds=max(waited, sum(tree.ticks.values()) / TICKS),
        peak_mib=tree.peak_kib / 1024,
        load=load,
        output=output,
        curve=tuple(tree.curve),
    )


def tree_mib(root: int) -> float:
    """Return the memory of a process and of all that it has started, as it is now."""
    tree = _Tree(root)
    tree.look()
    return tree.peak_kib / 1024


def _keep_looking(tree: _Tree, ended: threading.Event, look_s: float) -> None:
    while not ended.wait(look_s):
        tree.look()


def _processes() -> dict[int, _Process]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                text = (entry / "stat").read_text(encoding="utf-8", errors="replace")
                _, parent, *rest = text.rpartition(")")[2].split()
                found[int(entry.name)] = _Process(int(parent), int(rest[17]), int(rest[9]) + int(rest[10]))
    return found


def _share_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
