"""Compose the short form of a report: headline, ranked table, worst cases, remarks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from steelyard.model.estimate import Interval, Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.document.answer import (
    AS_EXPECTED,
    PASS_RATE,
    Measure,
    opening,
    primary,
    ranked,
)
from steelyard.render.document.benchmark import benchmark_section
from steelyard.render.document.blocks import (
    Name,
    Piece,
    Section,
    TableColumn,
    TextLine,
    Tone,
    line,
    listed,
    numbers,
    words,
)
from steelyard.render.document.coverage import coverage_section
from steelyard.render.document.labels import Labels
from steelyard.render.document.runs import score_name, shown_runs
from steelyard.render.document.settings import warnings_section
from steelyard.render.document.trust import honeypots_section, integrity_section
from steelyard.render.numbers import (
    RANGE,
    UNDEFINED,
    count,
    estimate_at,
    estimated,
    interval_for,
    level,
    or_undefined,
    pass_costs,
    seconds,
    share,
    significant,
    usd,
)
from steelyard.render.words import KIND_OF_FAILURE, counted

MOST_SUBJECTS = 8
MOST_FAILED = 5
MOST_KS = 3
MOST_LINES = 3  # of warnings and gaps

Failed = tuple[tuple[str, str], int, int]  # suite and case, failed samples, all samples


def summary_sections(report: Report) -> tuple[Section, ...]:
    """Return the non-empty sections of the short form."""
    sections = (
        Section(lines=(*opening(report), *benchmark_section(report).lines)),
        _table(report),
        _tiers(report),
        _most_failed(report),
        _remarks(report),
        Section(
            lines=(line("more: --details shows every number, -o report.html every answer", tone=Tone.QUIET),)
        ),
    )
    return tuple(section for section in sections if not section.is_empty)


def _table(report: Report) -> Section:
    rows, measure = ranked(report)[:MOST_SUBJECTS], primary(report)
    if measure is None:
        return Section()
    intervals = [_interval(row, measure) for row in rows]
    columns = (
        *Labels.of(report).columns(rows),
        _measured(measure, rows),
        *_interval_column(intervals, report),
        *_overall(rows, report),
        *([_measured(PASS_RATE, rows)] if measure is AS_EXPECTED else []),
        *_at_k(rows),
        *_median_run(rows, report),
        numbers("samples", rows, lambda row: count(row.samples)),
        *_optional("cost", [or_undefined(row.total_cost_usd.value, usd) for row in rows]),
        *_optional("a pass costs", [pass_costs(row.cost_of_pass) for row in rows]),
        *_durations(rows, report),
    )
    remaining = len(report.subjects) - len(rows)
    more = (line(f"and {counted(remaining, 'more subject')}", tone=Tone.QUIET),) if remaining else ()
    notes = (*_interval_note(intervals, report), *_overall_note(report), *_undefined_at_k(rows))
    return Section(columns=columns, lines=(*more, *notes))


def _measured(measure: Measure, rows: Sequence[SubjectSummary]) -> TableColumn:
    return numbers(measure.title, rows, lambda row: estimated(measure.value(row), measure.written))


def _interval(subject: SubjectSummary, measure: Measure) -> Interval | None:
    """Return the interval for new cases; pass@1 equals the pass rate and may have it instead."""
    own = interval_for(Target.NEW_CASES, measure.value(subject))
    if own is not None or measure is not PASS_RATE:
        return own
    first = next((at.estimate for at in subject.pass_at_k if at.k == 1), None)
    return interval_for(Target.NEW_CASES, first)


def _interval_column(intervals: Sequence[Interval | None], report: Report) -> tuple[TableColumn, ...]:
    if not any(intervals):
        return ()
    return (numbers(f"{level(report.settings.level)} interval", intervals, _range),)


def _overall(rows: Sequence[SubjectSummary], report: Report) -> tuple[TableColumn, ...]:
    """Return the overall rate: the unweighted mean of the suites."""
    if not Labels.of(report).has_suites:
        return ()
    return (numbers("overall", rows, lambda row: estimated(row.overall.macro, PASS_RATE.written)),)


def _overall_note(report: Report) -> tuple[TextLine, ...]:
    if not Labels.of(report).has_suites:
        return ()
    return (line("overall: mean of the suites' pass rates", tone=Tone.QUIET),)


def _at_k(rows: Sequence[SubjectSummary]) -> Iterator[TableColumn]:
    """Yield two columns for each requested k, with its interval; pass@1 is the pass rate."""
    for k in _ks(rows):
        estimates = [estimate_at(row.pass_at_k, k) for row in rows]
        yield numbers(f"pass@{k}", estimates, lambda estimate: estimated(estimate, PASS_RATE.written))
        intervals = [interval_for(Target.NEW_CASES, estimate) for estimate in estimates]
        if any(intervals):
            yield numbers("interval", intervals, _range)


def _median_run(rows: Sequence[SubjectSummary], report: Report) -> Iterator[TableColumn]:
    """Yield the median score over runs and its grade."""
    runs = {(row.model, row.tier): row.runs for row in shown_runs(report)}
    if runs:
        chosen = [runs.get((row.model, row.tier)) for row in rows]
        medians = [None if run is None else run.spreads.score.median for run in chosen]
        yield numbers(f"median {score_name(report)}", medians, lambda median: or_undefined(median, share))
        yield words("grade", chosen, lambda run: (run.grade.letter if run else None) or UNDEFINED)


def _durations(rows: Sequence[SubjectSummary], report: Report) -> tuple[TableColumn, ...]:
    """Return the median duration of a run, if there are several."""
    runs = {(row.model, row.tier): row.runs for row in shown_runs(report)}
    if not runs:
        return ()
    chosen = [runs.get((row.model, row.tier)) for row in rows]
    medians = [None if run is None else run.spreads.duration_s.median for run in chosen]
    return _optional("duration (s)", [or_undefined(median, seconds) for median in medians])


def _tiers(report: Report) -> Section:
    """Return the variance across the tiers of each model, one line each."""
    return Section(lines=tuple(line(*pieces, tone=Tone.QUIET) for pieces in _tier_variances(report)))


def _tier_variances(report: Report) -> Iterator[tuple[Piece, ...]]:
    for row in report.tiers:
        spread = row.over_runs or row
        known = {
            "pass rate": (spread.pass_rate_variance, significant),
            score_name(report): (spread.score_variance, significant),
            "cost": (spread.cost_variance, significant),
        }
        parts = [
            f"{name} {written(item.value)}"
            for name, (item, written) in known.items()
            if item and item.value is not None
        ]
        if spread.cost_delta_usd.value is not None:
            parts.append(f"cost delta {usd(spread.cost_delta_usd.value)}")
        if parts:
            yield ("variance across the tiers of ", Name(row.model), f": {', '.join(parts)}")


def _undefined_at_k(rows: Sequence[SubjectSummary]) -> Iterator[TextLine]:
    for k in _ks(rows):
        estimates = (estimate_at(row.pass_at_k, k) for row in rows)
        why = next(
            (estimate.detail for estimate in estimates if estimate.value is None and estimate.detail), None
        )
        if why:
            yield line(f"pass@{k}: {why}", tone=Tone.QUIET)


def _ks(rows: Sequence[SubjectSummary]) -> list[int]:
    return [at.k for at in rows[0].pass_at_k if at.k != 1][:MOST_KS] if rows else []


def _range(interval: Interval | None) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return UNDEFINED
    return f"{100 * interval.low:.0f}{RANGE}{100 * interval.high:.0f} %"


def _interval_note(intervals: Sequence[Interval | None], report: Report) -> tuple[TextLine, ...]:
    if not any(intervals):
        return ()
    text = f"{level(report.settings.level)} interval: for new cases of the same kind"
    return (line(text, tone=Tone.QUIET),)


def _optional(title: str, cells: Sequence[str]) -> tuple[TableColumn, ...]:
    is_known = any(cell != UNDEFINED for cell in cells)
    return (numbers(title, cells, lambda cell: cell),) if is_known else ()


def _most_failed(report: Report) -> Section:
    failed = failed_most(report)
    if not failed:
        return Section()
    has_suites = Labels.of(report).has_suites
    labels = [_failure(item, has_suites=has_suites) for item in failed[:MOST_FAILED]]
    return Section(
        lines=(line("failed most: ", *listed(labels, limit=MOST_FAILED, total=len(failed))), *_kinds(report))
    )


def _failure(failed: Failed, *, has_suites: bool) -> tuple[Piece, ...]:
    (suite, case), times, samples = failed
    name = (Name(suite), "/", Name(case)) if has_suites else (Name(case),)
    return (*name, f" {count(times)} of {count(samples)}")


def failed_most(report: Report) -> list[Failed]:
    """Return the cases with failed samples over all subjects, worst first."""
    samples: dict[tuple[str, str], int] = {}
    failed: dict[tuple[str, str], int] = {}
    expects_refusal = frozenset(report.expects_refusal)
    for case in report.cases:
        name, n = (case.suite, case.case), case.n
        samples[name] = samples.get(name, 0) + n
        fails = n - (case.right(expects_refusal) if expects_refusal else case.c)
        if fails:
            failed[name] = failed.get(name, 0) + fails
    alike: defaultdict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
    for name, fails in failed.items():
        alike[fails, samples[name]].append(name)
    worst_first = sorted(alike, key=lambda counts: (-counts[0] / counts[1], -counts[0]))
    return [(name, *counts) for counts in worst_first for name in sorted(alike[counts])]


def _kinds(report: Report) -> tuple[TextLine, ...]:
    kinds: Counter[str] = Counter()
    for subject in report.subjects:
        kinds.update(subject.failures)
    text = ", ".join(f"{KIND_OF_FAILURE.get(kind, kind)} {count(n)}" for kind, n in kinds.most_common() if n)
    return (line(f"kinds of failure: {text}", tone=Tone.QUIET),) if text else ()


def _remarks(report: Report) -> Section:
    """Return caveats about the numbers, in a few lines."""
    gaps = coverage_section(report, gaps_only=True)
    are_sealed = all(subject.sealed == subject.samples for subject in report.integrity)
    trust = Section() if are_sealed else integrity_section(report)
    parts = (honeypots_section(report), trust, warnings_section(report), gaps)
    lines = [text_line for part in parts for text_line in part.lines]
    remaining = len(lines) - MOST_LINES
    more = (
        [line(f"and {counted(remaining, 'more remark')}: --details", tone=Tone.QUIET)]
        if remaining > 0
        else []
    )
    return Section(lines=(*lines[:MOST_LINES], *more))
