"""Tell processes that wait for a processor from those that sleep."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

RUNNABLE = frozenset("RD")  # running or about to, and waiting for a disk or for memory
LOOKS, PAUSE_S = 5, 0.005  # what waits for another process is asleep for a moment only


def could_run(members: Callable[[], Iterable[int]], proc: Path = Path("/proc")) -> bool:
    """Whether any thread of some processes could use a processor, seen within a few moments."""
    for look in range(LOOKS):
        if look:
            time.sleep(PAUSE_S)
        if any(state in RUNNABLE for pid in members() for state in _states(proc / str(pid))):
            return True
    return False


def _states(process: Path) -> Iterable[str]:
    """Give the state of each thread; one that has just gone has none."""
    try:
        for thread in (process / "task").iterdir():
            text = (thread / "stat").read_text(encoding="utf-8", errors="replace")
            yield text.rpartition(") ")[2][:1]
    except OSError:
        return
