"""Run a command once more, alone, if a busy machine may be why it timed out.

An answer with many processes must not turn the right answers of other cases into timeouts.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from steelyard.model.execution import Command, ExecResult, Limit
from steelyard.ports import Sandbox

STARVED = 0.75  # a command that computed for less of its time than this may have waited for a processor
ALLOWED_S, ALLOWED_SHARE = 60.0, 0.2  # for commands that run alone: a minute, and of what others take
BUSY = 0.1  # a machine that idles less than this has no processor to spare
_STAT = Path("/proc/stat")
_IDLE = slice(3, 5)  # idle, and waiting for a disk


class AloneLock:
    """Lets many commands run at a time, or one alone; one that waits to be alone goes before new ones."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = self._waiting = 0
        self.width = 1  # how many have run at a time, at most
        self._is_alone = False

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_alone and not self._waiting)
            self._running += 1
            self.width = max(self.width, self._running)
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run while no other command of this process does."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._is_alone and not self._running)
            self._waiting -= 1
            self._is_alone = True
        try:
            yield
        finally:
            with self._changed:
                self._is_alone = False
                self._changed.notify_all()


class SecondRuns:
    """How often commands were run again, by thread: a check runs all of its commands in one."""

    def __init__(self) -> None:
        self.lock = AloneLock()
        self._counts = threading.local()
        self._alone_s = self._ended_s = 0.0
        self._adding = threading.Lock()

    @property
    def may_go_on(self) -> bool:
        """Whether there is time for one more: answers that only sleep must not hold up all others."""
        return self._alone_s <= ALLOWED_S + ALLOWED_SHARE * self._ended_s / self.lock.width

    def add_ended(self, seconds: float) -> None:
        """Count a command that ended by itself: time that answers use up earns them no more of it."""
        with self._adding:
            self._ended_s += seconds

    def add(self, seconds: float) -> None:
        """Count a command that was run again, alone, for so long."""
        with self._adding:
            self._alone_s += seconds
        self._counts.value = self.count() + 1

    def count(self) -> int:
        """Return the count of this thread."""
        value: int = getattr(self._counts, "value", 0)
        return value

    def reset(self) -> None:
        """Begin to count anew in this thread."""
        self._counts.value = 0


class FairSandbox:
    """A sandbox around another one that believes a timeout on a busy machine only the second time."""

    def __init__(self, sandbox: Sandbox, runs: SecondRuns) -> None:
        self._sandbox = sandbox
        self._runs = runs

    def run(self, command: Command) -> ExecResult:
        """Run a command; once more, alone, if it timed out and may have waited for a processor."""
        with self._runs.lock.together():
            before = processor_times()
            result = self._sandbox.run(command)
            idle = idle_share(before, processor_times())
        if result.limit is None:
            self._runs.add_ended(result.wall_s)
        if not is_doubtful(result, idle=idle) or not self._runs.may_go_on:
            return result
        with self._runs.lock.alone():
            again = self._sandbox.run(command)
            self._runs.add(again.wall_s)
        return again


def is_doubtful(result: ExecResult, *, idle: float | None) -> bool:
    """Whether a command ran out of time while it may have waited for a processor.

    >>> is_doubtful(ExecResult(exit_code=None, limit=Limit.WALL, wall_s=3.0, cpu_s=0.2), idle=0.0)
    True
    >>> is_doubtful(ExecResult(exit_code=None, limit=Limit.WALL, wall_s=3.0, cpu_s=3.0), idle=0.0)
    False
    """
    if result.limit is not Limit.WALL or result.could_run is False:
        return False
    if idle is not None and idle >= BUSY:
        return False
    return result.cpu_s is None or result.cpu_s < STARVED * result.wall_s


def processor_times() -> tuple[int, ...]:
    """Return how long all processors together did what, in ticks; nothing where the kernel does not say."""
    with suppress(OSError, ValueError):
        first = _STAT.read_text(encoding="ascii").partition("\n")[0]
        return tuple(map(int, first.split()[1:9]))
    return ()


def idle_share(before: tuple[int, ...], after: tuple[int, ...]) -> float | None:
    """Return the share of the time between in which processors idled; None if unknown.

    >>> idle_share((0, 0, 0, 0, 0), (60, 0, 20, 15, 5))
    0.2
    """
    spent = [late - early for early, late in zip(before, after, strict=False)]
    return sum(spent[_IDLE]) / sum(spent) if sum(spent) > 0 else None
