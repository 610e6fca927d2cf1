"""Show the suites of a report, and their overall accuracy."""

from steelyard.model.report import Report, SubjectSummary
from steelyard.render.document.blocks import Name, Section, TextLine, Tone, line, numbers, words
from steelyard.render.document.intervals import with_intervals
from steelyard.render.document.labels import Labels
from steelyard.render.document.quantities import TableQuantity, measured, quantity
from steelyard.render.document.samples import failure_columns
from steelyard.render.document.undefined import explained
from steelyard.render.numbers import count, share
from steelyard.render.words import counted

SUITE_ROWS = 100


def suites_section(report: Report) -> Section:
    """Return a row for each suite of each subject."""
    labels, rows = Labels.of(report), report.suites[:SUITE_ROWS]
    if not labels.has_suites:
        return Section()
    level = report.settings.level
    shown = measured(
        (
            *with_intervals("accuracy", lambda suite: suite.accuracy, share, level=level),
            *with_intervals("score", lambda suite: suite.score, share, level=level),
            quantity("as expected", lambda suite: suite.expectation_met, share),
        ),
        rows,
    )
    dashes = [dash for figure in shown for dash in figure.dashes(rows, lambda row: (Name(row.suite),))]
    columns = (
        *labels.columns(rows, always_model=False),
        words("suite", rows, lambda suite: Name(suite.suite)),
        numbers("cases", rows, lambda suite: count(suite.cases)),
        numbers("samples", rows, lambda suite: count(suite.samples)),
        numbers("passed", rows, lambda suite: count(suite.passed)),
        *failure_columns(rows),
        *(figure.column(rows) for figure in shown),
    )
    notes = explained(dashes, rows=len(rows), noun="suite")
    return Section(title="Suites", columns=columns, lines=(*notes, *_rest(report)))


def overall_section(report: Report) -> Section:
    """Return the means over the suites of each subject."""
    labels, rows = Labels.of(report), report.subjects
    if not labels.has_suites:
        return Section()
    shown = measured(_means(report.settings.level), rows)
    dashes = [dash for mean in shown for dash in mean.dashes(rows, labels.subject)]
    return Section(
        title="Accuracy over all suites",
        columns=(*labels.columns(rows), *(mean.column(rows) for mean in shown)),
        lines=explained(dashes, rows=len(rows), noun=labels.noun),
    )


def _means(level: float) -> tuple[TableQuantity[SubjectSummary], ...]:
    return (
        *with_intervals("mean of suites", lambda subject: subject.overall.macro, share, level=level),
        *with_intervals("weighted mean", lambda subject: subject.overall.weighted, share, level=level),
        *with_intervals("mean of cases", lambda subject: subject.overall.pooled, share, level=level),
        *with_intervals("as expected", lambda subject: subject.expectation_met, share, level=level),
    )


def _rest(report: Report) -> tuple[TextLine, ...]:
    left_out = len(report.suites) - SUITE_ROWS
    if left_out <= 0:
        return ()
    return (line(f"and {counted(left_out, 'more row')}; --format json has all of them", tone=Tone.QUIET),)
