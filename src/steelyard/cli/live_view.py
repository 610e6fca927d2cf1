"""Redraw a run's progress on a terminal: some lines per subject, and some for all subjects together.

Long lines are folded. If there are more subjects than fit, finished ones are dropped first.
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

SUBJECT_LINES = 4  # unless a line is folded
FOOTER_LINES = 6  # for all subjects together, and remarks
ALL: SubjectName = ("", "")


class LiveView:
    """Draws a run's progress over the last drawing."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._rates: dict[SubjectName, Throughput] = {}
        self._text = ""

    def __call__(self, progress: RunProgress) -> None:
        """Redraw if anything changed."""
        lines = [
            *self._format_subjects(progress),
            *(Text(remark, style="yellow") for remark in remarks(progress)),
        ]
        text = "\n".join(line.plain for line in lines)
        if text != self._text:
            self._text = text
            self._live.start()
            self._live.update(Group(*lines), refresh=True)

    def _format_subjects(self, progress: RunProgress) -> Iterator[Text]:
        subjects = progress.subjects
        names = self._select_subjects(subjects)
        for name in names:
            yield from _format_subject(self._describe(progress, name, subjects[name]))
        if len(subjects) > 1:
            title = (
                "all together" if len(names) == len(subjects) else f"all {len(subjects):,} subjects together"
            )
            yield from _format_subject(replace(self._describe(progress, ALL, progress.total), name=title))

    def _select_subjects(self, subjects: Mapping[SubjectName, SubjectProgress]) -> list[SubjectName]:
        """Return the subjects that fit on the screen; drop finished ones first."""
        room = max(1, (self._live.console.height - FOOTER_LINES) // SUBJECT_LINES)
        open_first = sorted(subjects, key=lambda name: subjects[name].ended >= subjects[name].planned)
        selected = set(open_first[:room])
        return [name for name in subjects if name in selected]

    def _describe(self, progress: RunProgress, name: SubjectName, subject: SubjectProgress) -> SubjectText:
        now, rate = time.monotonic(), self._rates.setdefault(name, Throughput())
        rate.observe(now, subject.ended)
        title = f"{visible(name[0])} ({visible(name[1])})"
        per_second = rate.per_second(now, subject.ended)
        return subject_text(title, subject, per_second, stops_early=progress.stops_early)


def _format_subject(text: SubjectText) -> Iterator[Text]:
    yield Text(text.name, style="bold", overflow="fold")
    yield Text(f"  {text.counts}, {text.passed}", overflow="fold")
    cost_and_pace = ", ".join(filter(None, (text.money, text.pace)))
    yield Text(f"  {cost_and_pace}", style="dim", overflow="fold")
    if text.errors:
        yield Text(f"  {text.errors}", style="red", overflow="fold")


@contextmanager
def live_view(*, console: Console | None = None) -> Iterator[LiveView]:
    """Yield a live view; it starts drawing with the first update."""
    terminal = Console(stderr=True, highlight=False) if console is None else console
    live = Live(console=terminal, auto_refresh=False, vertical_overflow="crop")
    try:
        yield LiveView(live)
    finally:
        live.stop()
