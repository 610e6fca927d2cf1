"""Keep every core busy, to see whether what is measured meanwhile depends on it."""

import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


def burn(until: float) -> None:
    """Keep a core busy."""
    while time.time() < until:
        sum(range(10_000))


@contextmanager
def busy_cores(seconds_at_most: float) -> Iterator[None]:
    """Keep every core busy meanwhile."""
    context = multiprocessing.get_context("spawn")
    until = time.time() + seconds_at_most
    burners = [context.Process(target=burn, args=(until,), daemon=True) for _ in range(os.cpu_count() or 1)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.join()
