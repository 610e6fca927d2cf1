"""Show the progress of a run on a terminal, in place: some lines for each subject, and some for all together.

Fits any width: lines are folded. Fits any height: subjects that are done are left out first.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from steelyard.model.progress import RunProgress, SubjectName, SubjectProgress
from steelyard.render.names import visible
from steelyard.render.run_progress import SubjectText, Throughput, remarks, subject_text

LINES_EACH = 4  # of a subject, as long as none of them is folded
REST = 6  # lines for all subjects together and for remarks
ALL: SubjectName = ("", "")


class LiveView:
    """Draws the progress of a run over the one it drew before."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._rates: dict[SubjectName, Throughput] = {}
        self._shown = ""

    def __call__(self, progress: RunProgress) -> None:
        """Show it, if there is something new."""
        lines = [*self._subjects(progress), *(Text(words, style="yellow") for words in remarks(progress))]
        shown = "\n".join(line.plain for line in lines)
        if shown != self._shown:
            self._shown = shown
            self._live.start()
            self._live.update(Group(*lines), refresh=True)

    def _subjects(self, progress: RunProgress) -> Iterator[Text]:
        subjects = progress.subjects
        shown = self._fitting(subjects)
        for name in shown:
            yield from _lines(self._text(progress, name, subjects[name]))
        if len(subjects) > 1:
            title = (
                "all together" if len(shown) == len(subjects) else f"all {len(subjects):,} subjects together"
            )
            yield from _lines(replace(self._text(progress, ALL, progress.total), name=title))

    def _fitting(self, subjects: Mapping[SubjectName, SubjectProgress]) -> list[SubjectName]:
        """Return as many subjects as there is room for, those that are done only if there is enough."""
        room = max(1, (self._live.console.height - REST) // LINES_EACH)
        open_first = sorted(subjects, key=lambda name: subjects[name].ended >= subjects[name].planned)
        kept = set(open_first[:room])
        return [name for name in subjects if name in kept]

    def _text(self, progress: RunProgress, name: SubjectName, subject: SubjectProgress) -> SubjectText:
        now, rate = time.monotonic(), self._rates.setdefault(name, Throughput())
        rate.observe(now, subject.ended)
        title = f"{visible(name[0])} ({visible(name[1])})"
        per_second = rate.per_second(now, subject.ended)
        return subject_text(title, subject, per_second, stops_early=progress.stops_early)


def _lines(words: SubjectText) -> Iterator[Text]:
    yield Text(words.name, style="bold", overflow="fold")
    yield Text(f"  {words.counts}, {words.passed}", overflow="fold")
    spent = ", ".join(filter(None, (words.money, words.pace)))
    yield Text(f"  {spent}", style="dim", overflow="fold")
    if words.errors:
        yield Text(f"  {words.errors}", style="red", overflow="fold")


@contextmanager
def live_view(*, console: Console | None = None) -> Iterator[LiveView]:
    """Return a live view that redraws on every update; it begins with the first one."""
    on = Console(stderr=True, highlight=False) if console is None else console
    live = Live(console=on, auto_refresh=False, vertical_overflow="crop")
    try:
        yield LiveView(live)
    finally:
        live.stop()
