"""Shut down the workers of a run; kill them if the user pressed Ctrl-C twice.

Agents and checks may run for minutes. A resumed run repeats killed ones.
"""

import asyncio
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROCESSES = Path("/proc")
AGAIN_S = 0.1  # kill again: a check with several steps starts its next process


async def close_all(closing: Iterable[Awaitable[None]], *, at_once: bool, kept: frozenset[int]) -> None:
    """Close all; `at_once` kills this process's children except `kept`."""
    waiting = asyncio.ensure_future(_one_by_one(closing))
    while at_once and not waiting.done():
        kill_children(kept)
        await asyncio.wait({waiting}, timeout=AGAIN_S)
    await waiting


async def _one_by_one(closing: Iterable[Awaitable[None]]) -> None:
    for each in closing:
        await each


def children() -> frozenset[int]:
    """Return the child processes of this one; empty where /proc is missing."""
    return frozenset(_list_children().get(os.getpid(), ()))


def kill_children(kept: frozenset[int]) -> None:
    """Kill the children of this process except those in `kept`, and all their descendants."""
    families = _list_children()
    ending = [child for child in families.get(os.getpid(), ()) if child not in kept]
    while ending:
        process = ending.pop()
        ending += families.get(process, ())
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def _list_children() -> dict[int, list[int]]:
    """Return the children of every visible process."""
    families: defaultdict[int, list[int]] = defaultdict(list)
    for status in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name in parentheses may contain anything; state and parent follow.
            parent = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            families[int(parent)].append(int(status.parent.name))
    return dict(families)


@contextmanager
def holding_interrupts() -> Iterator[list[int]]:
    """Record the first Ctrl-C instead of raising it; raise the second."""
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only that one is interrupted
        yield pressed
        return

    def press(number: int, _: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
