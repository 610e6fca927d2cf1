"""Leave a run: let go of whoever drew and checked; at once, if the user does not want to wait for them.

An agent or a check may have many minutes left. Who leaves at once ends the processes that were started
meanwhile; what they were doing has come to nothing, and a resumed run does it again.
"""

import asyncio
import os
import signal
from collections import defaultdict
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
AGAIN_S = 0.1  # a check of several steps begins the next when one is ended


async def close_all(closing: Iterable[Awaitable[None]], *, at_once: bool, kept: frozenset[int]) -> None:
    """Wait until all are closed; `at_once` ends all children of this process but those that are `kept`."""
    waiting = asyncio.ensure_future(_one_by_one(closing))
    while at_once and not waiting.done():
        end_children(kept)
        await asyncio.wait({waiting}, timeout=AGAIN_S)
    await waiting


async def _one_by_one(closing: Iterable[Awaitable[None]]) -> None:
    for each in closing:
        await each


def children() -> frozenset[int]:
    """Return the processes that this one has started; nothing where nobody can tell."""
    return frozenset(_families().get(os.getpid(), ()))


def end_children(kept: frozenset[int]) -> None:
    """End the children of this process but those that are kept, and all that they have started."""
    families = _families()
    ending = [child for child in families.get(os.getpid(), ()) if child not in kept]
    while ending:
        process = ending.pop()
        ending += families.get(process, ())
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def _families() -> dict[int, list[int]]:
    """Return the children of every process that can be seen."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for status in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name stands in parentheses, and may hold anything; the state and the parent come behind.
            parent = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            found[int(parent)].append(int(status.parent.name))
    return dict(found)
