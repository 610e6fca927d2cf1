"""Show the requested figures for each k, with their definitions."""

from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.model.estimate import Estimate, Target
from steelyard.model.report import Report, SubjectAtK
from steelyard.render import numbers
from steelyard.render.document.blocks import Section, TableColumn, TextLine, Tone, line, words
from steelyard.render.document.intervals import heading
from steelyard.render.document.labels import Labels
from steelyard.render.document.undefined import Dash, explained

G_PASS_IN_WORDS = "G-Pass@k_tau: at least the share tau of k samples pass; mG-Pass@k: its mean for tau > 0.5"

MAX_IN_WORDS = "max@k: the expected highest score of k samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlsoRow:
    """One figure of one subject."""

    model: str
    tier: str
    figure: str
    estimate: Estimate


def also_at_k_rows(subject: SubjectAtK) -> Iterator[AlsoRow]:
    """Yield the figures of a subject."""
    figures = (
        *((f"G-Pass@{at.k}_{at.tau:g}", at.estimate) for at in subject.g_pass_at_k),
        *((f"mG-Pass@{at.k}", at.estimate) for at in subject.mg_pass_at_k),
        *((f"max@{at.k}", at.estimate) for at in subject.max_at_k),
    )
    for figure, estimate in figures:
        yield AlsoRow(model=subject.model, tier=subject.tier, figure=figure, estimate=estimate)


def also_at_k_section(report: Report) -> Section:
    """Return a row for each subject and requested figure."""
    rows = [row for subject in report.also_at_k for row in also_at_k_rows(subject)]
    if not rows:
        return Section()
    spans = [numbers.span(numbers.interval_for(Target.NEW_CASES, row.estimate)) for row in rows]
    columns = (
        *Labels.of(report).columns(rows, always_model=False),
        words("figure", rows, lambda row: row.figure),
        TableColumn(
            title="value", cells=tuple(numbers.estimated(row.estimate, numbers.share) for row in rows)
        ),
        TableColumn(title=heading(Target.NEW_CASES, report.settings.level), cells=tuple(spans)),
    )
    lines = (*_dashes(report, rows), *_meanings(report))
    return Section(title="More figures for each k", columns=columns, lines=lines, is_detail=True)


def _dashes(report: Report, rows: list[AlsoRow]) -> tuple[TextLine, ...]:
    labels = Labels.of(report)
    dashes = (
        Dash(title=row.figure, owner=labels.subject(row), gap=row.estimate)
        for row in rows
        if row.estimate.value is None
    )
    return explained(dashes, rows=len(report.also_at_k), noun=labels.noun)


def _meanings(report: Report) -> Iterator[TextLine]:
    if any(subject.g_pass_at_k for subject in report.also_at_k):
        yield line(G_PASS_IN_WORDS, tone=Tone.QUIET)
    if any(subject.max_at_k for subject in report.also_at_k):
        yield line(MAX_IN_WORDS, tone=Tone.QUIET)
