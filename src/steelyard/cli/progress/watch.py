"""Show how far a run is: a live view on a terminal, elsewhere one plain line every few seconds."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from steelyard.cli.output import note
from steelyard.cli.progress.facts import Pace, facts, remarks, together
from steelyard.runner.session import Progress, Watch

LINE_S = 5.0


@contextmanager
def watching(*, quiet: bool, stops_early: bool = False) -> Iterator[Watch]:
    """Give what a run shows its progress to; with a stop rule, what is planned is the most that is drawn."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        # Nobody waits for it where nobody looks.
        from steelyard.cli.progress.live import live_view  # noqa: PLC0415

        with live_view(stops_early=stops_early) as view:
            yield view
    else:
        yield Lines(stops_early=stops_early)


class Lines:
    """Says how far a run is, in one line every few seconds, and at once what somebody should do."""

    def __init__(self, *, stops_early: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._stops_early = stops_early
        self._clock = clock
        self._pace = Pace()
        self._said_at = clock()
        self._was_stopping = False

    def __call__(self, progress: Progress) -> None:
        """Say it, if it is time."""
        now, subjects = self._clock(), progress.tally.subjects
        whole = next(iter(subjects.values())) if len(subjects) == 1 else together(subjects)
        self._pace.saw(now, whole.ended)
        is_news = progress.is_stopping and not self._was_stopping
        if now - self._said_at < LINE_S and not is_news:
            return
        self._said_at, self._was_stopping = now, progress.is_stopping
        rate = self._pace.per_second(now, whole.ended)
        told = facts("", whole, rate, stops_early=self._stops_early)
        note("; ".join([told.line(), *remarks(progress)]))
