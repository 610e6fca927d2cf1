"""Tell processes that wait for a processor from those that sleep, and a busy machine from an idle one."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

_STAT = Path("/proc/stat")
_IDLE = 3  # and not waiting for a disk, which a command may do because of others
RUNNABLE = frozenset("RD")  # running or about to, and waiting for a disk or for memory
LOOKS, PAUSE_S = 5, 0.005  # what waits for another process is asleep for a moment only


def is_waiting(members: Callable[[], Iterable[int]], proc: Path = Path("/proc")) -> bool:
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


def processor_times() -> tuple[int, ...]:
    """Return how long all processors together did what, in ticks; nothing where the kernel does not say."""
    with suppress(OSError, ValueError):
        first = _STAT.read_text(encoding="ascii").partition("\n")[0]
        return tuple(map(int, first.split()[1:9]))
    return ()


def idle_share(before: tuple[int, ...], after: tuple[int, ...]) -> float:
    """Return the share of the time between in which processors idled; none where that is not known.

    >>> idle_share((0, 0, 0, 0, 0), (60, 0, 20, 15, 5))
    0.15
    """
    spent = [late - early for early, late in zip(before, after, strict=False)]
    return spent[_IDLE] / sum(spent) if sum(spent) > 0 else 0.0
