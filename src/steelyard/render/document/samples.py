"""Show how samples failed, and how often samples of the same case disagree."""

from collections.abc import Iterator, Sequence

from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.report import Flakiness, Report, SubjectSummary, SuiteSummary
from steelyard.render.document.blocks import Section, TableColumn, TextLine, line, numbers
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count, in_percent
from steelyard.render.words import KIND_OF_FAILURE


def failures_section(report: Report) -> Section:
    """Return the failed samples of each subject by kind, if there are kinds other than "wrong"."""
    rows, kinds = report.subjects, failure_columns(report.subjects)
    if not kinds:
        return Section()
    failed = numbers("failed", rows, lambda subject: count(sum(subject.failures.values())))
    return Section(title="How samples failed", columns=(*Labels.of(report).columns(rows), failed, *kinds))


def failure_columns(rows: Sequence[SubjectSummary | SuiteSummary]) -> tuple[TableColumn, ...]:
    """Return a column for each kind of failure that occurs, if there are kinds other than "wrong"."""
    kinds = [kind for kind in FAILURES if any(row.failures.get(kind) for row in rows)]
    return tuple(_failures_of(kind, rows) for kind in kinds) if set(kinds) - {Classification.FAIL} else ()


def _failures_of(kind: Classification, rows: Sequence[SubjectSummary | SuiteSummary]) -> TableColumn:
    return numbers(KIND_OF_FAILURE[kind], rows, lambda row: count(row.failures.get(kind, 0)))


UNSEEN = "flakiness: needs at least 2 samples of every case"
STOPPED = "flakiness: not defined with a stop rule, which changes the number of samples"


def flakiness_section(report: Report) -> Section:
    """Return a line for each subject with several samples of a case."""
    labels = Labels.of(report)
    lines: list[TextLine] = []
    for subject in report.subjects:
        text = "; ".join(_parts(subject.flakiness))
        if text:
            lines.append(line("flakiness", *labels.if_several(subject, report), f": {text}"))
    has_samples = any(subject.samples for subject in report.subjects)
    unseen = line(UNSEEN if report.settings.stop_rule is None else STOPPED)
    return Section(lines=tuple(lines) or ((unseen,) if has_samples else ()))


def _parts(flakiness: Flakiness) -> Iterator[str]:
    if flakiness.flip_rate == 0:
        yield "none, all samples of a case agree"
        return
    if flakiness.flip_rate is not None:
        yield f"two samples of the same case disagree {in_percent(flakiness.flip_rate)} of the time"
    if flakiness.flaky_fraction:
        yield f"{in_percent(flakiness.flaky_fraction)} of the cases both passed and failed"
        if flakiness.icc is not None:
            yield f"ICC {flakiness.icc:.2f}"
