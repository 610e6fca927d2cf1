"""Wait for a condition, never for an amount of time."""

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0  # far longer than anything takes on a busy machine
POLL_S = 0.02
LOOP_ROUNDS = 200


def wait_until(condition: Callable[[], bool], *, patience_s: float = PATIENCE_S) -> None:
    """Return once a condition holds; fail if it does not come to hold."""
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, f"not true within {patience_s:.0f} s: {condition}"
        time.sleep(POLL_S)


async def until_idle() -> None:
    """Run all other tasks of the event loop until they wait for something outside of it."""
    for _ in range(LOOP_ROUNDS):
        await asyncio.sleep(0)
