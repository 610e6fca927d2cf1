"""Show intervals beside numbers, and explain what they cover."""

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
NEW_CASES_IN_WORDS = "new cases: interval for new cases of the same kind"
TARGETS_IN_WORDS = f"{NEW_CASES_IN_WORDS}; re-run: for these cases resampled"
NO_RERUN = "re-run: unknown (a dash) for pass@k with fewer than 2k samples of a case"


@dataclass(frozen=True, slots=True, kw_only=True)
class KRow:
    """One figure of one subject for one k."""

    model: str
    tier: str
    what: str
    estimate: Estimate


def heading(target: Target, level: float) -> str:
    """Return the title of a column of intervals; the first column names the level for both."""
    return f"{numbers.level(level)} new cases" if target is Target.NEW_CASES else "re-run"


def with_intervals(
    title: str,
    of: Callable[[Row], Estimate | None],
    written: Callable[[float], str],
    *,
    level: float,
    spanned: Writer = numbers.span,
) -> tuple[TableQuantity[Row], ...]:
    """Describe a number and its interval for each target."""
    return (
        quantity(title, of, written),
        *(beside(_interval_getter(of, target), heading(target, level), spanned) for target in Target),
    )


def beside(of: Callable[[Row], Interval | None], title: str, spanned: Writer) -> TableQuantity[Row]:
    """Describe an interval beside a number; the number explains its own dashes."""
    return TableQuantity(
        title=title,
        cell=lambda row: spanned(of(row)),
        gap=lambda row: NOT_MEASURED if spanned(of(row)) == numbers.UNDEFINED else None,
        is_explained=False,
    )


def targets_note(report: Report) -> tuple[TextLine, ...]:
    """Explain the kinds of interval that are shown."""
    shown = {
        interval.target
        for subject in report.subjects
        for estimate in (subject.score, *(at.estimate for at in subject.pass_at_k[:1]))
        for interval in estimate.intervals
    }
    if not shown:
        return ()
    return (line(TARGETS_IN_WORDS if Target.RERUN in shown else NEW_CASES_IN_WORDS, tone=Tone.QUIET),)


def every_k_section(report: Report) -> Section:
    """Return pass@k and pass^k for every k with intervals, if there is more than one k."""
    rows = [row for subject in report.subjects for row in _k_rows(subject)]
    if len(report.settings.pass_k) == 1 or not any(row.estimate.intervals for row in rows):
        return Section()
    level = report.settings.level
    shown: tuple[TableQuantity[KRow], ...] = with_intervals(
        "value", lambda row: row.estimate, numbers.share, level=level
    )
    columns = (
        *Labels.of(report).columns(rows, always_model=False),
        words("figure", rows, lambda row: row.what),
        *(figure.column(rows) for figure in shown if figure.is_measured(rows)),
    )
    is_partial = shown[-1].is_measured(rows) and any(map(shown[-1].gap, rows))
    lines = (line(NO_RERUN, tone=Tone.QUIET),) if is_partial else ()
    return Section(title="Every k with its intervals", columns=columns, lines=lines, is_detail=True)


def change_columns(title: str, changes: Sequence[Estimate]) -> tuple[TableColumn, ...]:
    """Return columns of differences in points and of their intervals."""
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
    """Yield the rows of a subject; pass^1 equals pass@1 and is omitted."""
    figures: Iterable[tuple[str, Estimate]] = (
        *((f"pass@{at.k}", at.estimate) for at in subject.pass_at_k),
        *((f"pass^{at.k}", at.estimate) for at in subject.pass_hat_k if at.k > 1),
    )
    for what, estimate in figures:
        yield KRow(model=subject.model, tier=subject.tier, what=what, estimate=estimate)


def _interval_getter(
    of: Callable[[Row], Estimate | None], target: Target
) -> Callable[[Row], Interval | None]:
    return lambda row: numbers.interval_for(target, of(row))
