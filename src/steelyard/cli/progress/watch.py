"""Show the progress of a run: a live view on a terminal, elsewhere one plain line every few seconds."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from steelyard.cli.screen import note
from steelyard.model.progress import ProgressCallback, RunProgress
from steelyard.render.run_progress import Throughput, remarks, subject_text

LINE_S = 5.0


@contextmanager
def watching(*, quiet: bool) -> Iterator[ProgressCallback]:
    """Return the callback that shows the progress of a run."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        from steelyard.cli.progress.live import live_view  # noqa: PLC0415  # loads rich, which pipes do not need

        with live_view() as view:
            yield view
    else:
        yield Lines()


class Lines:
    """Writes the progress of a run in one line every few seconds, and at once after Ctrl-C."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rate = Throughput()
        self._written_at = clock()
        self._was_stopping = False

    def __call__(self, progress: RunProgress) -> None:
        """Write a line, if it is time."""
        now, whole = self._clock(), progress.total
        self._rate.observe(now, whole.ended)
        is_news = progress.is_stopping and not self._was_stopping
        if now - self._written_at < LINE_S and not is_news:
            return
        self._written_at, self._was_stopping = now, progress.is_stopping
        rate = self._rate.per_second(now, whole.ended)
        text = subject_text("", whole, rate, stops_early=progress.stops_early)
        note("; ".join([text.line(), *remarks(progress)]))
