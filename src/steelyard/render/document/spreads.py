"""Show the spread of scores, costs and times over samples and runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.summary import Statistics
from steelyard.render.document.blocks import Section, TableColumn, numbers, words
from steelyard.render.document.labels import Labels
from steelyard.render.document.runs import (
    INFINITE,
    SubjectRuns,
    has_runs_of_one_case,
    score_name,
    shown_runs,
)
from steelyard.render.document.undefined import Dash, explained
from steelyard.render.numbers import count, or_undefined, seconds, share, usd

Writer = Callable[[float], str]

NAMES = ("median", "mean", "mode", "min", "max", "std_dev")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadRow:
    """One quantity of one subject; `may_be_infinite` if a missing value may mean infinity."""

    model: str
    tier: str
    quantity: str
    statistics: Statistics
    written: Writer
    may_be_infinite: bool = False

    def cell(self, name: str) -> str:
        """Format one of the statistics."""
        value = getattr(self.statistics, name)
        is_infinite = (
            self.may_be_infinite and self.statistics.reason is Reason.NO_PASSES and name != "std_dev"
        )
        return INFINITE if value is None and is_infinite else or_undefined(value, self.written)


def spreads_section(report: Report) -> Section:
    """Return the spread of each quantity over samples, if there are tiers or judges."""
    labels = Labels.of(report)
    rows = [row for subject in report.subjects for row in _of_samples(subject)]
    is_judged = any(subject.spreads.impl_rate.count for subject in report.subjects)
    # If each run is a single sample, the spread over runs covers this.
    if not rows or not (labels.has_tiers or is_judged) or has_runs_of_one_case(report):
        return Section()
    lines = explained(_dashes(rows, labels), rows=len(report.subjects), noun=labels.noun)
    columns = _columns(rows, labels)
    return Section(title="Spread over the samples", columns=columns, lines=lines, is_detail=True)


def run_spreads_section(report: Report) -> Section:
    """Return the spread of each quantity over the runs."""
    rows = [row for runs in shown_runs(report) for row in _of_runs(runs, score_name(report))]
    if not rows:
        return Section()
    return Section(title="Spread over the runs", columns=_columns(rows, Labels.of(report)), is_detail=True)


def _columns(rows: Sequence[SpreadRow], labels: Labels) -> tuple[TableColumn, ...]:
    return (
        *labels.columns(rows),
        words("quantity", rows, lambda row: row.quantity),
        *(TableColumn(title=name, cells=tuple(row.cell(name) for row in rows)) for name in NAMES),
        numbers("count", rows, lambda row: count(row.statistics.count)),
    )


def _of_samples(subject: SubjectSummary) -> Iterator[SpreadRow]:
    spreads = subject.spreads
    yield from _rows(
        subject,
        ("pass rate", spreads.pass_rate, share),
        ("score", spreads.score, share),
        ("impl rate", spreads.impl_rate, share),
        ("cost", spreads.cost_usd, usd),
        ("latency (s)", spreads.latency_s, seconds),
    )


def _of_runs(subject: SubjectRuns, score: str) -> Iterator[SpreadRow]:
    spreads = subject.runs.spreads
    yield from _rows(
        subject,
        ("pass rate", spreads.pass_rate, share),
        ("impl rate", spreads.impl_rate, share),
        (score, spreads.score, share),
        ("cost", spreads.cost_usd, usd),
        ("cost of pass", spreads.cost_of_pass, usd),
        ("duration (s)", spreads.duration_s, seconds),
    )


def _rows(
    subject: SubjectSummary | SubjectRuns, *quantities: tuple[str, Statistics, Writer]
) -> Iterator[SpreadRow]:
    for name, statistics, written in quantities:
        if statistics.count:
            yield SpreadRow(
                model=subject.model,
                tier=subject.tier,
                quantity=name,
                statistics=statistics,
                written=written,
                may_be_infinite=name == "cost of pass",
            )


def _dashes(rows: Sequence[SpreadRow], labels: Labels) -> Iterator[Dash]:
    for row in rows:
        if row.statistics.median is None:
            gap = Estimate(value=None, reason=row.statistics.reason)
            yield Dash(title=f"median of {row.quantity}", owner=labels.subject(row), gap=gap)
