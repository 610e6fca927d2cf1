"""Show the suites of a report, and what they make together."""

from steelyard.model.report import Report, SubjectSummary
from steelyard.report.numbers import count, share
from steelyard.report.page.blocks import Line, Name, Section, Tone, line, numbers, words
from steelyard.report.page.intervals import trusted
from steelyard.report.page.labels import Labels
from steelyard.report.page.quantities import Quantity, measured
from steelyard.report.page.undefined import explained
from steelyard.report.words import counted

SUITE_ROWS = 100


def suites_section(report: Report) -> Section:
    """Return one row for each suite of each subject."""
    labels, rows = Labels.of(report), report.suites[:SUITE_ROWS]
    if not labels.has_suites:
        return Section()
    level = report.settings.level
    shown = measured(
        (
            *trusted("accuracy", lambda suite: suite.accuracy, share, level=level),
            *trusted("score", lambda suite: suite.score, share, level=level),
        ),
        rows,
    )
    dashes = [dash for item in shown for dash in item.dashes(rows, lambda row: (Name(row.suite),))]
    columns = (
        *labels.columns(rows, always_model=False),
        words("suite", rows, lambda suite: Name(suite.suite)),
        numbers("cases", rows, lambda suite: count(suite.cases)),
        numbers("samples", rows, lambda suite: count(suite.samples)),
        numbers("passed", rows, lambda suite: count(suite.passed)),
        *(item.column(rows) for item in shown),
    )
    notes = explained(dashes, rows=len(rows), noun="suite")
    return Section(title="Suites", columns=columns, lines=(*notes, *_rest(report)))


def overall_section(report: Report) -> Section:
    """Return the ways to put the suites of a subject together."""
    labels, rows = Labels.of(report), report.subjects
    if not labels.has_suites:
        return Section()
    shown = measured(_ways(report.settings.level), rows)
    dashes = [dash for way in shown for dash in way.dashes(rows, labels.subject)]
    return Section(
        title="Accuracy over all suites",
        columns=(*labels.columns(rows), *(way.column(rows) for way in shown)),
        lines=explained(dashes, rows=len(rows), noun=labels.noun),
    )


def _ways(level: float) -> tuple[Quantity[SubjectSummary], ...]:
    return (
        *trusted("mean of suites", lambda subject: subject.overall.macro, share, level=level),
        *trusted("weighted mean", lambda subject: subject.overall.weighted, share, level=level),
        *trusted("mean of cases", lambda subject: subject.overall.pooled, share, level=level),
    )


def _rest(report: Report) -> tuple[Line, ...]:
    left_out = len(report.suites) - SUITE_ROWS
    if left_out <= 0:
        return ()
    return (line(f"and {counted(left_out, 'more row')}; --format json has all of them", tone=Tone.QUIET),)
