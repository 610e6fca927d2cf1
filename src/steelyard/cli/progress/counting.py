"""Tell how far a long command is in one plain line every few seconds, on the standard error."""

import time
from collections.abc import Callable

from steelyard.cli.screen import note

LINE_S = 5.0
Tell = Callable[[str], None]


class EveryFewSeconds:
    """Writes a line if none was written in the last seconds."""

    def __init__(self, write: Tell = note, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._written_at = clock()

    def __call__(self, text: str) -> None:
        """Write a line, if it is time."""
        if self._clock() - self._written_at >= LINE_S:
            self._written_at = self._clock()
            self._write(text)


def counting(*, quiet: bool, tell: Tell | None = None) -> Callable[[int, int], None] | None:
    """Return what tells how many answers were checked."""
    if quiet:
        return None
    line = tell or EveryFewSeconds()
    return lambda done, total: line(f"checked {done} of {total} answers")


def fetching(*, quiet: bool, tell: Tell | None = None) -> Callable[[str, int, int | None], None] | None:
    """Return what tells how much of a file has been fetched."""
    if quiet:
        return None
    line = tell or EveryFewSeconds()
    return lambda name, done, size: line(f"{name}: {done:,}{f' of {size:,}' if size else ''} bytes")
