"""Show beside a number how far it can be trusted, and say for what."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.render import numbers
from steelyard.render.document.blocks import Section, TableColumn, TextLine, Tone, line, words
from steelyard.render.document.labels import Labels
from steelyard.render.document.quantities import TableQuantity, quantity

Row = TypeVar("Row")
Writer = Callable[[Interval | None], str]

NOT_MEASURED = Estimate.undefined(Reason.NOT_MEASURED)
NEW_CASES_IN_WORDS = "new cases: what to expect on other cases like these"
TARGETS_IN_WORDS = f"{NEW_CASES_IN_WORDS}; re-run: on these same cases resampled"
NO_RERUN = "re-run: a dash where it is unknown, such as for pass@k with fewer than 2k samples of a case"


@dataclass(frozen=True, slots=True, kw_only=True)
class KRow:
    """One figure of one subject for one k."""

    model: str
    tier: str
    what: str
    estimate: Estimate


def heading(target: Target, level: float) -> str:
    """Return the title of a column of intervals; the first of the two says the level for both."""
    return f"{numbers.level(level)} new cases" if target is Target.NEW_CASES else "re-run"


def trusted(
    title: str,
    of: Callable[[Row], Estimate | None],
    written: Callable[[float], str],
    *,
    level: float,
    spanned: Writer = numbers.span,
) -> tuple[TableQuantity[Row], ...]:
    """Describe a number and, beside it, how far it can be trusted for each target."""
    return (
        quantity(title, of, written),
        *(beside(_finder(of, target), heading(target, level), spanned) for target in Target),
    )


def beside(of: Callable[[Row], Interval | None], title: str, spanned: Writer) -> TableQuantity[Row]:
    """Describe an interval that stands beside a number which explains its own dashes."""
    return TableQuantity(
        title=title,
        cell=lambda row: spanned(of(row)),
        gap=lambda row: NOT_MEASURED if spanned(of(row)) == numbers.UNDEFINED else None,
        is_explained=False,
    )


def targets_note(report: Report) -> tuple[TextLine, ...]:
    """Return what the kinds of interval promise that are to be seen."""
    seen = {
        interval.target
        for subject in report.subjects
        for estimate in (subject.score, *(at.estimate for at in subject.pass_at_k[:1]))
        for interval in estimate.intervals
    }
    if not seen:
        return ()
    return (line(TARGETS_IN_WORDS if Target.RERUN in seen else NEW_CASES_IN_WORDS, tone=Tone.QUIET),)


def every_k_section(report: Report) -> Section:
    """Return pass@k and pass^k for every k with their intervals, where there is more than one k."""
    rows = [row for subject in report.subjects for row in _k_rows(subject)]
    if len(report.settings.pass_k) == 1 or not any(row.estimate.intervals for row in rows):
        return Section()
    level = report.settings.level
    shown: tuple[TableQuantity[KRow], ...] = trusted(
        "value", lambda row: row.estimate, numbers.share, level=level
    )
    columns = (
        *Labels.of(report).columns(rows, always_model=False),
        words("figure", rows, lambda row: row.what),
        *(item.column(rows) for item in shown if item.is_measured(rows)),
    )
    is_partial = shown[-1].is_measured(rows) and any(map(shown[-1].gap, rows))
    lines = (line(NO_RERUN, tone=Tone.QUIET),) if is_partial else ()
    return Section(title="Every k with its intervals", columns=columns, lines=lines, is_detail=True)


def change_columns(title: str, changes: Sequence[Estimate]) -> tuple[TableColumn, ...]:
    """Return differences in points, and beside them the intervals there are."""
    levels = [interval.level for change in changes for interval in change.intervals]
    return (
        TableColumn(
            title=title, cells=tuple(numbers.estimated(change, numbers.points) for change in changes)
        ),
        *(_interval_column(target, levels[0], changes) for target in Target if levels),
    )


def _interval_column(target: Target, level: float, changes: Sequence[Estimate]) -> TableColumn:
    cells = (numbers.bounds(numbers.interval_for(target, change), numbers.points) for change in changes)
    return TableColumn(title=heading(target, level), cells=tuple(cells))


def _k_rows(subject: SubjectSummary) -> Iterator[KRow]:
    """Return the rows of a subject; pass^1 is pass@1."""
    figures: Iterable[tuple[str, Estimate]] = (
        *((f"pass@{at.k}", at.estimate) for at in subject.pass_at_k),
        *((f"pass^{at.k}", at.estimate) for at in subject.pass_hat_k if at.k > 1),
    )
    for what, estimate in figures:
        yield KRow(model=subject.model, tier=subject.tier, what=what, estimate=estimate)


def _finder(of: Callable[[Row], Estimate | None], target: Target) -> Callable[[Row], Interval | None]:
    return lambda row: numbers.interval_for(target, of(row))
