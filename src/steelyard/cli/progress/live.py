"""Show on a terminal how far a run is, in place: some lines for each subject, and one for all together.

Fits any width: lines are folded. Fits any height: the subjects that are done go first.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from steelyard.cli.progress.facts import Facts, Pace, facts, remarks, together
from steelyard.render.names import visible
from steelyard.runner.session import Progress
from steelyard.runner.tally import SubjectName, SubjectTally

LINES_EACH = 4  # of a subject, as long as none of them is folded
REST = 6  # lines for all subjects together and for remarks
ALL: SubjectName = ("", "")


class LiveView:
    """Draws the state of a run over the one it drew before."""

    def __init__(self, live: Live, *, stops_early: bool) -> None:
        self._live = live
        self._stops_early = stops_early
        self._paces: dict[SubjectName, Pace] = {}
        self._shown = ""

    def __call__(self, progress: Progress) -> None:
        """Show it, if there is something new."""
        lines = [*self._subjects(progress), *(Text(words, style="yellow") for words in remarks(progress))]
        shown = "\n".join(line.plain for line in lines)
        if shown != self._shown:
            self._shown = shown
            self._live.update(Group(*lines), refresh=True)

    def _subjects(self, progress: Progress) -> Iterator[Text]:
        tally = progress.tally.subjects
        shown = self._fitting(tally)
        for name in shown:
            yield from _lines(self._facts(name, _title(name), tally[name]))
        if len(tally) > 1:
            title = "all together" if len(shown) == len(tally) else f"all {len(tally):,} subjects together"
            yield from _lines(self._facts(ALL, title, together(tally)))

    def _fitting(self, tally: Mapping[SubjectName, SubjectTally]) -> list[SubjectName]:
        """Return as many subjects as there is room for, those that are done only if there is enough."""
        room = max(1, (self._live.console.height - REST) // LINES_EACH)
        open_first = sorted(tally, key=lambda name: tally[name].ended >= tally[name].planned)
        kept = set(open_first[:room])
        return [name for name in tally if name in kept]

    def _facts(self, name: SubjectName, title: str, tally: SubjectTally) -> Facts:
        now, pace = time.monotonic(), self._paces.setdefault(name, Pace())
        pace.saw(now, tally.ended)
        rate = pace.per_second(now, tally.ended)
        return facts(title, tally, rate, stops_early=self._stops_early)


def _title(name: SubjectName) -> str:
    return f"{visible(name[0])} ({visible(name[1])})"


def _lines(words: Facts) -> Iterator[Text]:
    yield Text(words.name, style="bold", overflow="fold")
    yield Text(f"  {words.counts}, {words.passed}", overflow="fold")
    spent = ", ".join(said for said in (words.money, words.pace) if said)
    yield Text(f"  {spent}", style="dim", overflow="fold")
    if words.errors:
        yield Text(f"  {words.errors}", style="red", overflow="fold")


@contextmanager
def live_view(*, stops_early: bool, console: Console | None = None) -> Iterator[LiveView]:
    """Give a view that draws itself anew in its place, as often as it is told something new."""
    on = Console(stderr=True, highlight=False) if console is None else console
    with Live(console=on, auto_refresh=False, vertical_overflow="crop") as live:
        yield LiveView(live, stops_early=stops_early)
