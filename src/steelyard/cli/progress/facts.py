"""Put into words how far a run is: counts, money, rate, time left, our own errors.

Words only; where and when they are shown is decided elsewhere.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.metrics.intervals import mean_interval_of_sums
from steelyard.model.units import NANO_USD
from steelyard.render.names import visible
from steelyard.render.numbers import span, usd
from steelyard.runner.session import Progress
from steelyard.runner.tally import SubjectName, SubjectTally

MOMENTS = 30  # that are remembered to tell the rate of now
APART_S = 1.0
MINUTE_S, HOUR_S = 60, 3600
MOST_KINDS = 4  # of errors that are named


@dataclass(slots=True)
class Pace:
    """How fast samples come to their end, by what was seen lately."""

    _seen: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=MOMENTS))

    def saw(self, moment: float, ended: int) -> None:
        """Note how many samples had come to their end at a moment, in seconds."""
        if not self._seen or moment - self._seen[-1][0] >= APART_S:
            self._seen.append((moment, ended))

    def per_second(self, moment: float, ended: int) -> float | None:
        """Return how many come to their end in a second; None as long as nobody can tell.

        >>> pace = Pace()
        >>> pace.saw(0.0, 10)
        >>> pace.per_second(5.0, 30), pace.per_second(0.5, 10)
        (4.0, None)
        """
        if not self._seen:
            return None
        began, before = self._seen[0]
        return (ended - before) / (moment - began) if moment - began >= APART_S and ended > before else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What can be said of one subject, or of all together, each fact in few words."""

    name: str
    counts: str
    passed: str
    money: str
    pace: str
    errors: str

    def line(self) -> str:
        """Return everything in one line, but the name."""
        said = (self.counts, self.passed, self.money, self.pace, self.errors)
        return ", ".join(words for words in said if words)


def facts(name: str, tally: SubjectTally, per_second: float | None, *, stops_early: bool) -> Facts:
    """Put one tally into words; where a stop rule decides how much is drawn, what is planned is the most."""
    of = "of at most" if stops_early else "of"
    # By a stop rule the cases that pass are drawn less often, so that a plain rate would mislead.
    rate = "" if stops_early else _rate(tally)
    return Facts(
        name=name,
        counts=f"drawn {tally.drawn:,} {of} {tally.planned:,}, checked {tally.checked:,}",
        passed=f"passed {tally.passed:,}{rate}",
        money=_money(tally),
        pace=_pace(tally, per_second, stops_early=stops_early),
        errors=_errors(tally),
    )


def together(subjects: Mapping[SubjectName, SubjectTally]) -> SubjectTally:
    """Add the tallies of all subjects up; a pass rate of different subjects together means nothing."""
    whole = SubjectTally()
    for one in subjects.values():
        for count in ("planned", "drawn", "checked", "passed", "cost_nano_usd", "unpriced"):
            setattr(whole, count, getattr(whole, count) + getattr(one, count))
        whole.errors.update(one.errors)
    return whole


def remarks(progress: Progress) -> list[str]:
    """Return what else whoever looks on should know now."""
    said = [
        f"{visible(name)} asked us to wait: {duration(limiter.pause_s)}"
        for name, limiter in progress.limiters.items()
        if limiter.pause_s >= APART_S
    ]
    if progress.judges is not None and progress.judges.replies:
        spent = usd(progress.judges.cost_nano_usd / NANO_USD)
        said.append(f"judges: {progress.judges.replies:,} replies, {spent}")
    if progress.is_stopping:
        calls = {0: "checks", 1: "1 call"}.get(progress.under_way, f"{progress.under_way:,} calls")
        said.append(f"finishing {calls}; press Ctrl-C again to stop")
    return said


def duration(seconds: float) -> str:
    """Write a time that people wait.

    >>> duration(9.6), duration(100), duration(7_260)
    ('10 s', '1 min 40 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < MINUTE_S:
        return f"{whole} s"
    if whole < HOUR_S:
        return f"{whole // MINUTE_S} min {whole % MINUTE_S} s"
    return f"{whole // HOUR_S} h {whole % HOUR_S // MINUTE_S} min"


def _rate(tally: SubjectTally) -> str:
    sums = tally.rates.sums
    if not sums.count:
        return ""
    mean = min(1.0, max(0.0, float(sums.total) / sums.count))
    return f" ({mean:.2f}; {span(mean_interval_of_sums(sums))})"


def _money(tally: SubjectTally) -> str:
    if not tally.cost_nano_usd and tally.unpriced:
        return "price unknown"
    beside = f" and {tally.unpriced:,} of unknown price" if tally.unpriced else ""
    return f"{usd(tally.cost_nano_usd / NANO_USD)}{beside}"


def _pace(tally: SubjectTally, per_second: float | None, *, stops_early: bool) -> str:
    left = tally.planned - tally.ended
    if not left:
        return "done"
    if per_second is None:
        return ""
    at_most = "at most " if stops_early else ""
    return f"{per_second:.1f}/s, {at_most}{duration(left / per_second)} left"


def _errors(tally: SubjectTally) -> str:
    if not tally.errors:
        return ""
    kinds = tally.errors.most_common()
    named = ", ".join(f"{visible(kind)} {count:,}" for kind, count in kinds[:MOST_KINDS])
    others = sum(count for _, count in kinds[MOST_KINDS:])
    return f"errors: {named}" + (f", others {others:,}" if others else "")
