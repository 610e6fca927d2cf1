"""Detect processes that wait for a processor, and a busy machine."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

_STAT = Path("/proc/stat")
_IDLE = 3  # without I/O wait, which other processes may cause
RUNNABLE = frozenset("RD")  # running or runnable; uninterruptible (disk, memory)
ATTEMPTS, PAUSE_S = 5, 0.005  # a process that waits for another one sleeps only briefly


def is_waiting(members: Callable[[], Iterable[int]], proc: Path = Path("/proc")) -> bool:
    """Whether any thread of the processes is runnable in one of a few samples."""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(PAUSE_S)
        if any(state in RUNNABLE for pid in members() for state in _states(proc / str(pid))):
            return True
    return False


def _states(process: Path) -> Iterable[str]:
    """Yield the state of each thread that still exists."""
    try:
        for thread in (process / "task").iterdir():
            text = (thread / "stat").read_text(encoding="utf-8", errors="replace")
            yield text.rpartition(") ")[2][:1]
    except OSError:
        return


def processor_times() -> tuple[int, ...]:
    """Return the ticks of all processors by state; empty if the kernel does not report them."""
    with suppress(OSError, ValueError):
        first = _STAT.read_text(encoding="ascii").partition("\n")[0]
        return tuple(map(int, first.split()[1:9]))
    return ()


def idle_share(before: tuple[int, ...], after: tuple[int, ...]) -> float:
    """Return the share of idle time between two samples; 0 if unknown.

    >>> idle_share((0, 0, 0, 0, 0), (60, 0, 20, 15, 5))
    0.15
    """
    spent = [late - early for early, late in zip(before, after, strict=False)]
    return spent[_IDLE] / sum(spent) if sum(spent) > 0 else 0.0
