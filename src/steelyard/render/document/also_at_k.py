"""Show the figures for each k that were asked for, with what each of them is."""

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

MAX_IN_WORDS = "max@k: the highest score to expect of k samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlsoRow:
    """One figure of one subject."""

    model: str
    tier: str
    figure: str
    estimate: Estimate


def also_at_k_rows(found: SubjectAtK) -> Iterator[AlsoRow]:
    """Return the figures of a subject under their names, kind by kind."""
    figures = (
        *((f"G-Pass@{at.k}_{at.tau:g}", at.estimate) for at in found.g_pass_at_k),
        *((f"mG-Pass@{at.k}", at.estimate) for at in found.mg_pass_at_k),
        *((f"max@{at.k}", at.estimate) for at in found.max_at_k),
    )
    for figure, estimate in figures:
        yield AlsoRow(model=found.model, tier=found.tier, figure=figure, estimate=estimate)


def also_at_k_section(report: Report) -> Section:
    """Return a row for each subject and figure, or nothing if none was asked for."""
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
        Dash(what=row.figure, whose=labels.subject(row), gap=row.estimate)
        for row in rows
        if row.estimate.value is None
    )
    return explained(dashes, rows=len(report.also_at_k), noun=labels.noun)


def _meanings(report: Report) -> Iterator[TextLine]:
    if any(subject.g_pass_at_k for subject in report.also_at_k):
        yield line(G_PASS_IN_WORDS, tone=Tone.QUIET)
    if any(subject.max_at_k for subject in report.also_at_k):
        yield line(MAX_IN_WORDS, tone=Tone.QUIET)
