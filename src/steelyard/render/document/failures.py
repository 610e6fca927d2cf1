"""Show how samples failed."""

from collections.abc import Sequence

from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.report import Report, SubjectSummary, SuiteSummary
from steelyard.render.document.blocks import Section, TableColumn, numbers
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import KIND_OF_FAILURE


def failures_section(report: Report) -> Section:
    """Return how the failed samples of each subject ended, if there is more to say than "wrong"."""
    rows, kinds = report.subjects, failure_columns(report.subjects)
    if not kinds:
        return Section()
    failed = numbers("failed", rows, lambda subject: count(sum(subject.failures.values())))
    return Section(title="How samples failed", columns=(*Labels.of(report).columns(rows), failed, *kinds))


def failure_columns(rows: Sequence[SubjectSummary | SuiteSummary]) -> tuple[TableColumn, ...]:
    """Return one column for each kind of failure that occurs, if there is more to say than "wrong"."""
    kinds = [kind for kind in FAILURES if any(row.failures.get(kind) for row in rows)]
    return tuple(_failures_of(kind, rows) for kind in kinds) if set(kinds) - {Classification.FAIL} else ()


def _failures_of(kind: Classification, rows: Sequence[SubjectSummary | SuiteSummary]) -> TableColumn:
    return numbers(KIND_OF_FAILURE[kind], rows, lambda row: count(row.failures.get(kind, 0)))
