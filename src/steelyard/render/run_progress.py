"""Format the progress of a run: counts, cost, time left, errors, excluded cases, unusual checks."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from steelyard.model.progress import ProviderProgress, RunProgress, SubjectProgress
from steelyard.model.run import ExcludedCase
from steelyard.model.units import NANO_USD
from steelyard.render.names import visible
from steelyard.render.numbers import usd
from steelyard.render.words import counted

MOMENTS = 30  # that the rate is computed from
APART_S = 1.0
MINUTE_S, HOUR_S = 60, 3600
MOST_KINDS = 4  # of errors that are named


@dataclass(slots=True)
class Throughput:
    """The rate of finished samples over the last moments."""

    _seen: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=MOMENTS))

    def observe(self, moment: float, ended: int) -> None:
        """Record how many samples have ended by a moment, in seconds."""
        if not self._seen or moment - self._seen[-1][0] >= APART_S:
            self._seen.append((moment, ended))

    def per_second(self, moment: float, ended: int) -> float | None:
        """Return how many end per second; None until that is known.

        >>> rate = Throughput()
        >>> rate.observe(0.0, 10)
        >>> rate.per_second(5.0, 30), rate.per_second(0.5, 10)
        (4.0, None)
        """
        if not self._seen:
            return None
        began, before = self._seen[0]
        return (ended - before) / (moment - began) if moment - began >= APART_S and ended > before else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectText:
    """The formatted progress of one subject, or of all together."""

    name: str
    counts: str
    passed: str
    money: str
    pace: str
    errors: str

    def line(self) -> str:
        """Return everything but the name in one line."""
        parts = (self.counts, self.passed, self.money, self.pace, self.errors)
        return ", ".join(filter(None, parts))


def subject_text(
    name: str, subject: SubjectProgress, per_second: float | None, *, stops_early: bool
) -> SubjectText:
    """Format the counts of one subject; under a stop rule, the plan is the maximum."""
    of = "of at most" if stops_early else "of"
    return SubjectText(
        name=name,
        counts=f"{subject.checked:,} {of} {subject.planned:,} checked, {subject.generated:,} generated",
        passed=f"{subject.passed:,} passed",
        money=_money(subject),
        pace=_pace(subject, per_second, stops_early=stops_early),
        errors=_errors(subject),
    )


def remarks(progress: RunProgress) -> list[str]:
    """Return remarks on pauses, judges and an interrupt."""
    result = [text for name, provider in progress.providers.items() if (text := _calls(name, provider))]
    result += [
        f"{visible(name)} requested a pause: {duration(provider.pause_s)}"
        for name, provider in progress.providers.items()
        if provider.pause_s >= APART_S
    ]
    if progress.judges is not None and progress.judges.replies:
        spent = usd(progress.judges.cost_nano_usd / NANO_USD)
        result.append(f"judges: {progress.judges.replies:,} replies, {spent}")
    if progress.is_stopping:
        calls = {0: "checks", 1: "1 call"}.get(progress.under_way, f"{progress.under_way:,} calls")
        result.append(f"finishing {calls}; press Ctrl-C again to stop")
    return result


def _calls(name: str, provider: ProviderProgress) -> str:
    """Describe a provider's calls if some wait or were repeated."""
    if not provider.retries and not provider.waiting:
        return ""
    waiting = f", {provider.waiting:,} waiting" if provider.waiting else ""
    kinds = ", ".join(f"{visible(kind)} {count:,}" for kind, count in Counter(provider.retries).most_common())
    repeated = f"; repeated: {kinds}" if kinds else ""
    pace = "" if provider.pace is None else f", at most {provider.pace:.3g} a second"
    return f"{visible(name)}: {provider.in_flight:,} of {provider.allowed:,} calls{pace}{waiting}{repeated}"


def duration(seconds: float) -> str:
    """Write a waiting time.

    >>> duration(9.6), duration(100), duration(7_260)
    ('10 s', '1 min 40 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < MINUTE_S:
        return f"{whole} s"
    if whole < HOUR_S:
        return f"{whole // MINUTE_S} min {whole % MINUTE_S} s"
    return f"{whole // HOUR_S} h {whole % HOUR_S // MINUTE_S} min"


def _money(subject: SubjectProgress) -> str:
    if not subject.cost_nano_usd and subject.unpriced:
        return "price unknown"
    unknown = f" and {subject.unpriced:,} of unknown price" if subject.unpriced else ""
    return f"{usd(subject.cost_nano_usd / NANO_USD)}{unknown}"


def _pace(subject: SubjectProgress, per_second: float | None, *, stops_early: bool) -> str:
    remaining = subject.planned - subject.ended
    if not remaining:
        return "done"
    if per_second is None:
        return ""
    at_most = "at most " if stops_early else ""
    return f"{per_second:.1f}/s, {at_most}{duration(remaining / per_second)} left"


def _errors(subject: SubjectProgress) -> str:
    if not subject.errors:
        return ""
    kinds = Counter(subject.errors).most_common()
    named = ", ".join(f"{visible(kind)} {count:,}" for kind, count in kinds[:MOST_KINDS])
    others = sum(count for _, count in kinds[MOST_KINDS:])
    return f"errors: {named}" + (f", others {others:,}" if others else "")


CASES_NAMED = 10


def excluded_cases(excluded: Sequence[ExcludedCase]) -> str:
    """Return a line that names excluded cases.

    >>> excluded_cases([ExcludedCase(suite="s", case=name, reason="") for name in "abc"])
    '3 cases excluded: their reference fails: a, b, c'
    """
    names = ", ".join(case.case for case in excluded[:CASES_NAMED])
    more = f" and {len(excluded) - CASES_NAMED} more" if len(excluded) > CASES_NAMED else ""
    their = "its" if len(excluded) == 1 else "their"
    return f"{counted(len(excluded), 'case')} excluded: {their} reference fails: {names}{more}"


def unusual_checks(total: SubjectProgress) -> list[str]:
    """Return a line for each unusual condition, with the number of answers.

    >>> unusual_checks(SubjectProgress(broke_their_check=1, had_longer=2))[0]
    'broke their own check, counted as failures: 1 (the check of a known answer worked)'
    """
    lines = []
    if total.broke_their_check:
        count = f"{total.broke_their_check:,}"
        lines.append(
            f"broke their own check, counted as failures: {count} (the check of a known answer worked)"
        )
    if total.had_longer:
        lines.append(f"got longer than their time limit, since the machine was busy: {total.had_longer:,}")
    if total.memory_unlimited:
        count = f"{total.memory_unlimited:,}"
        lines.append(
            f"memory: not limited (no control groups; see `steelyard doctor`), answers checked: {count}"
        )
    return lines
