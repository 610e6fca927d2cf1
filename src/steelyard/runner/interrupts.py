"""Defer Ctrl-C while a run is created: completely or not at all."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


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
