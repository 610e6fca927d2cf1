"""Show the uplift of each tier over the baseline tier, and the variance across tiers."""

from collections.abc import Callable

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.report import Report, Settings, SubjectSummary, TierSpread, Uplift
from steelyard.render.document.blocks import Name, Prose, Section, TextLine, Tone, line, numbers, words
from steelyard.render.document.intervals import beside, heading
from steelyard.render.document.labels import Labels
from steelyard.render.document.quantities import TableQuantity, measured, quantity
from steelyard.render.document.undefined import explained
from steelyard.render.numbers import (
    bounds,
    estimated,
    interval_for,
    percent,
    points,
    share,
    significant,
    usd,
)
from steelyard.render.words import counted

NO_BASELINE = Estimate.undefined(Reason.BASELINE_MISSING)


def uplift_section(report: Report) -> Section:
    """Return the uplift of each tier over the baseline tier of the same model."""
    labels, rows = Labels.of(report), report.subjects
    if not labels.has_tiers:
        return Section()
    gains = [
        *_gain("uplift by median", lambda uplift: uplift.of_median, percent, report.settings),
        *_gain("uplift by mean", lambda uplift: uplift.of_mean, percent, report.settings),
        *_gain("points", lambda uplift: uplift.points, points, report.settings),
    ]
    shown = [gain for gain in gains if gain.is_explained or gain.is_measured(rows)]
    dashes = [dash for gain in shown for dash in gain.dashes(rows, labels.subject)]
    columns = (
        *labels.columns(rows),
        numbers("score", rows, lambda subject: estimated(subject.score, share)),
        *(gain.column(rows) for gain in shown),
    )
    lines = (*explained(dashes, rows=len(rows), noun=labels.noun), *_shared_note(report))
    return Section(title="Tiers", columns=columns, lines=lines)


def tier_spread_section(report: Report) -> Section:
    """Return the variance of each model across tiers."""
    rows = report.tiers
    if not Labels.of(report).has_tiers or not rows:
        return Section()
    shown = measured(
        (
            quantity("pass rate variance", lambda spread: spread.pass_rate_variance, significant),
            quantity("score variance", lambda spread: spread.score_variance, significant),
            quantity("cost variance", lambda spread: spread.cost_variance, significant),
            quantity("cost delta", lambda spread: spread.cost_delta_usd, usd),
        ),
        rows,
    )
    dashes = [dash for spread in shown for dash in spread.dashes(rows, lambda row: (Name(row.model),))]
    columns = (
        words("model", rows, lambda spread: Name(spread.model)),
        words("tiers", rows, _tiers),
        *(spread.column(rows) for spread in shown),
    )
    lines = explained(dashes, rows=len(rows), noun="model")
    return Section(title="Variance across tiers", columns=columns, lines=lines)


def _gain(
    title: str, of: Callable[[Uplift], Estimate], written: Callable[[float], str], settings: Settings
) -> tuple[TableQuantity[SubjectSummary], ...]:
    """Describe an uplift with its interval; the baseline tier itself has none."""

    def cell(subject: SubjectSummary) -> str:
        if subject.tier == settings.baseline_tier:
            return "baseline"
        return estimated(of(subject.uplift) if subject.uplift else NO_BASELINE, written)

    def gap(subject: SubjectSummary) -> Estimate | None:
        estimate = of(subject.uplift) if subject.uplift else NO_BASELINE
        return None if subject.tier == settings.baseline_tier or estimate.value is not None else estimate

    def interval(subject: SubjectSummary) -> Interval | None:
        return interval_for(Target.NEW_CASES, of(subject.uplift)) if subject.uplift else None

    new_cases = heading(Target.NEW_CASES, settings.level)
    return (
        TableQuantity(title=title, cell=cell, gap=gap),
        beside(interval, new_cases, lambda bounded: bounds(bounded, written)),
    )


def _shared_note(report: Report) -> tuple[TextLine, ...]:
    """Return the cases of a mean uplift, if these are not all."""
    return tuple(
        line(
            "uplift and points of ",
            *Labels.of(report).subject(subject),
            f": over the {counted(subject.uplift.cases, 'case')} that both tiers have",
            tone=Tone.QUIET,
        )
        for subject in report.subjects
        if subject.uplift is not None
        and subject.uplift.cases
        and subject.uplift.cases < subject.coverage.expected
    )


def _tiers(spread: TierSpread) -> Prose:
    return Prose(", ".join(spread.tiers))
