"""Show how scores, costs and times spread over the samples of each subject."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.statistics import Statistics
from steelyard.render.document.blocks import Piece, Section, numbers, words
from steelyard.render.document.labels import Labels
from steelyard.render.document.runs import has_runs_of_one_case
from steelyard.render.document.undefined import Dash, explained
from steelyard.render.numbers import count, or_undefined, seconds, share, usd

Writer = Callable[[float], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadRow:
    """One quantity of one subject."""

    subject: SubjectSummary
    quantity: str
    statistics: Statistics
    written: Writer

    @property
    def model(self) -> str:
        """The subject's model."""
        return self.subject.model

    @property
    def tier(self) -> str:
        """The subject's tier."""
        return self.subject.tier

    def cell(self, value: float | None) -> str:
        """Write one of the seven numbers."""
        return or_undefined(value, self.written)


def spreads_section(report: Report) -> Section:
    """Return the seven numbers of each quantity, where tiers or a judge make them worth reading."""
    labels = Labels.of(report)
    rows = [row for subject in report.subjects for row in _rows(subject)]
    is_judged = any(subject.spreads.impl_rate.count for subject in report.subjects)
    # Where a run is a sample, the spread over the runs says the same and more.
    if not rows or not (labels.has_tiers or is_judged) or has_runs_of_one_case(report):
        return Section()
    columns = (
        *labels.columns(rows),
        words("quantity", rows, lambda row: row.quantity),
        numbers("median", rows, lambda row: row.cell(row.statistics.median)),
        numbers("mean", rows, lambda row: row.cell(row.statistics.mean)),
        numbers("mode", rows, lambda row: row.cell(row.statistics.mode)),
        numbers("min", rows, lambda row: row.cell(row.statistics.min)),
        numbers("max", rows, lambda row: row.cell(row.statistics.max)),
        numbers("std_dev", rows, lambda row: row.cell(row.statistics.std_dev)),
        numbers("count", rows, lambda row: count(row.statistics.count)),
    )
    lines = explained(_dashes(rows, labels), rows=len(report.subjects), noun=labels.noun)
    return Section(title="Spread over the samples", columns=columns, lines=lines, is_detail=True)


def _rows(subject: SubjectSummary) -> Iterator[SpreadRow]:
    spreads = subject.spreads
    quantities: tuple[tuple[str, Statistics, Writer], ...] = (
        ("pass rate", spreads.pass_rate, share),
        ("score", spreads.score, share),
        ("impl rate", spreads.impl_rate, share),
        ("cost", spreads.cost_usd, usd),
        ("latency (s)", spreads.latency_s, seconds),
    )
    for quantity, statistics, written in quantities:
        if statistics.count:
            yield SpreadRow(subject=subject, quantity=quantity, statistics=statistics, written=written)


def _dashes(rows: list[SpreadRow], labels: Labels) -> Iterator[Dash]:
    for row in rows:
        if row.statistics.median is None:
            whose: tuple[Piece, ...] = labels.subject(row)
            what = f"median of {row.quantity}"
            yield Dash(what=what, whose=whose, gap=Estimate(value=None, reason=row.statistics.reason))
