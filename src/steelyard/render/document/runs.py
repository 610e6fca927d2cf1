"""Show runs: medians over runs, spread across tiers, and each run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from steelyard.model.report import Report, TierSpread
from steelyard.model.report_runs import RunFigures, RunsSummary
from steelyard.model.summary import Statistics
from steelyard.render.document.blocks import (
    Name,
    Section,
    TableColumn,
    TextLine,
    Tone,
    line,
    numbers,
    words,
)
from steelyard.render.document.grades import letter_with_odds
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import (
    UNDEFINED,
    cost_of_pass,
    count,
    estimated,
    or_undefined,
    percent,
    seconds,
    share,
    significant,
    usd,
)
from steelyard.render.words import counted

RUN_ROWS = 30
FEWEST_RUNS = 2
INFINITE = "∞"

Writer = Callable[[float], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRuns:
    """A subject with its runs."""

    model: str
    tier: str
    runs: RunsSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run of one subject."""

    model: str
    tier: str
    figures: RunFigures


def runs_section(report: Report) -> Section:
    """Return the medians over the runs of each subject."""
    rows = shown_runs(report)
    if not rows:
        return Section()
    labels = Labels.of(report)
    is_judged = any(row.runs.spreads.impl_rate.count for row in rows)
    is_priced = any(row.runs.spreads.cost_usd.count for row in rows)
    is_timed = any(row.runs.spreads.duration_s.count for row in rows)
    columns = (
        *labels.columns(rows),
        numbers("runs", rows, lambda row: count(row.runs.whole)),
        _median("pass rate", rows, lambda row: row.runs.spreads.pass_rate, share),
        *([_median("impl rate", rows, lambda row: row.runs.spreads.impl_rate, share)] if is_judged else []),
        _median(score_name(report), rows, lambda row: row.runs.spreads.score, share),
        words("grade", rows, lambda row: letter_with_odds(row.runs.grade)),
        *([numbers("uplift", rows, lambda row: _uplift(row, report))] if labels.has_tiers else []),
        *([_median("cost", rows, lambda row: row.runs.spreads.cost_usd, usd)] if is_priced else []),
        *([numbers("cost of pass", rows, _cost_of_pass)] if is_priced else []),
        *(
            [_median("duration (s)", rows, lambda row: row.runs.spreads.duration_s, seconds)]
            if is_timed
            else []
        ),
    )
    return Section(title="Medians over the runs", columns=columns, lines=tuple(_notes(report)))


def each_run_section(report: Report) -> Section:
    """Return every run, if there are few enough to read."""
    rows = [
        _Run(model=row.model, tier=row.tier, figures=run)
        for row in shown_runs(report)
        for run in row.runs.runs
    ]
    if not rows:
        return Section()
    if len(rows) > RUN_ROWS:
        text = f"runs: {counted(len(rows), 'row')}, too many to show here; --format json has all of them"
        return Section(lines=(line(text, tone=Tone.QUIET),))
    columns = (
        *Labels.of(report).columns(rows),
        words("run", rows, lambda row: Name(row.figures.run)),
        numbers("cases", rows, lambda row: count(row.figures.cases)),
        numbers("pass rate", rows, lambda row: or_undefined(row.figures.pass_rate, share)),
        numbers("impl rate", rows, lambda row: or_undefined(row.figures.impl_rate, share)),
        numbers(score_name(report), rows, lambda row: or_undefined(row.figures.score, share)),
        numbers("cost", rows, lambda row: or_undefined(row.figures.cost_usd, usd)),
        numbers("cost of pass", rows, _run_cost_of_pass),
        numbers("duration (s)", rows, lambda row: or_undefined(row.figures.duration_s, seconds)),
    )
    return Section(title=f"Runs ({count(len(rows))})", columns=columns, is_detail=True)


def run_tiers_section(report: Report) -> Section:
    """Return the variance of the medians across tiers."""
    rows = [row for row in report.tiers if row.over_runs is not None]
    if not rows or not shown_runs(report) or has_runs_of_one_case(report):
        return Section()
    columns = (
        words("model", rows, lambda row: Name(row.model)),
        words("tiers", rows, lambda row: Name(", ".join(row.tiers))),
        numbers("pass rate variance", rows, lambda row: _over_runs(row, "pass_rate_variance", significant)),
        numbers(
            f"{score_name(report)} variance", rows, lambda row: _over_runs(row, "score_variance", significant)
        ),
        numbers("cost variance", rows, lambda row: _over_runs(row, "cost_variance", significant)),
        numbers("cost delta", rows, lambda row: _over_runs(row, "cost_delta_usd", usd)),
    )
    return Section(title="Variance across tiers, over runs", columns=columns)


def score_name(report: Report) -> str:
    """Return the title of the score."""
    return "composite" if report.settings.scoring.name == "composite" else "score"


def has_runs_of_one_case(report: Report) -> bool:
    """Whether each run is a single sample, so both have the same spread."""
    return bool(shown_runs(report)) and all(subject.coverage.expected == 1 for subject in report.subjects)


def shown_runs(report: Report) -> list[SubjectRuns]:
    """Return the subjects with several runs, if there are tiers or judges."""
    is_judged = any(subject.spreads.impl_rate.count for subject in report.subjects)
    if not (Labels.of(report).has_tiers or is_judged):
        return []
    return [
        SubjectRuns(model=subject.model, tier=subject.tier, runs=subject.runs)
        for subject in report.subjects
        if subject.runs is not None and len(subject.runs.runs) >= FEWEST_RUNS
    ]


def _median(
    title: str, rows: list[SubjectRuns], of: Callable[[SubjectRuns], Statistics], written: Writer
) -> TableColumn:
    return numbers(title, rows, lambda row: or_undefined(of(row).median, written))


def _uplift(row: SubjectRuns, report: Report) -> str:
    if row.tier == report.settings.baseline_tier:
        return "baseline"
    return estimated(row.runs.uplift_of_median, percent)


def _cost_of_pass(row: SubjectRuns) -> str:
    cost = row.runs.spreads.cost_of_pass
    if cost.median is None:
        return INFINITE if cost.count else UNDEFINED
    return usd(cost.median)


def _run_cost_of_pass(row: _Run) -> str:
    cost = row.figures.cost_of_pass
    return INFINITE if cost is not None and cost.infinite else cost_of_pass(cost, samples=row.figures.cases)


def _notes(report: Report) -> Iterator[TextLine]:
    text = "a run: one sample of every case; rates and score are means over its cases, cost and time are sums"
    if any(subject.coverage.expected > 1 for subject in report.subjects):
        text += ", and the cost of pass is this cost divided by the passes"
    yield line(text, tone=Tone.QUIET)
    partial = [
        subject.runs
        for subject in report.subjects
        if subject.runs is not None and subject.runs.whole < len(subject.runs.runs)
    ]
    if partial:
        left_out = sum(len(runs.runs) - runs.whole for runs in partial)
        text = f"{counted(left_out, 'run')} excluded from the medians: some cases have no evidence"
        yield line(text, tone=Tone.WARNING)


def _over_runs(row: TierSpread, name: str, written: Writer) -> str:
    return estimated(getattr(row.over_runs, name), written)
