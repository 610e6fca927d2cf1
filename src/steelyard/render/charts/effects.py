"""Draw differences with intervals: changes of a comparison, plausible drops of a gate, uplift of tiers."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, SubjectComparison, SuiteComparison
from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.gate import GateReport, SubjectGate
from steelyard.model.report import Report
from steelyard.render.charts.forest import Effect, Unit, effect_swatch, forest
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named, pieces
from steelyard.render.charts.rows import legend, swatch, vertical
from steelyard.render.charts.subjects import ranked_subjects
from steelyard.render.document.comparison import pair_labels
from steelyard.render.document.labels import Labels
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import decision_name
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.document.suite_changes import has_several_pairs
from steelyard.render.names import has_several
from steelyard.render.numbers import bounded_interval, level, percent, size_in_points

MOST = 60


def subject_changes(comparison: Comparison) -> Markup | None:
    """Return the change of each subject, or None if none was compared."""
    labels = pair_labels(comparison)
    effects = [
        _effect(row, pieces(labels.pair(row.pair)), is_total=True)
        for row in worst_first(comparison.subjects)[:MOST]
    ]
    return forest(_caption(effects), effects, name=labels.noun) if effects else None


def suite_changes(comparison: Comparison) -> Markup | None:
    """Return the change of each suite, or None if there is only one."""
    if not has_several(row.suite for row in comparison.suites):
        return None
    labels, is_paired = pair_labels(comparison), has_several_pairs(comparison.suites)
    effects = []
    for row in comparison.suites[:MOST]:
        pair = tag("span", " ", pieces(labels.pair(row.pair)), class_="tier") if is_paired else None
        effects.append(_effect(row, joined(named(row.suite), pair)))
    return forest(_caption(effects), effects, name="suite")


def _effect(row: SubjectComparison | SuiteComparison, name: Content, *, is_total: bool = False) -> Effect:
    change = row.pass_rate_change
    return Effect(
        name=name,
        value=change.value or 0.0,
        interval=bounded_interval(Target.NEW_CASES, change),
        again=bounded_interval(Target.RERUN, change),
        is_total=is_total,
    )


def _caption(effects: Sequence[Effect]) -> Markup:
    return joined(
        legend(
            (effect_swatch(effects, "point"), "change of the pass rate, in points"),
            (effect_swatch(effects, "pale"), "interval for new cases of the same kind"),
            (effect_swatch(effects, "dark"), "interval for these cases resampled, as in the last column"),
        ),
        " Orange is worse. A bar across the dashed line is compatible with no change.",
    )


def plausible_drops(gate: GateReport) -> Markup | None:
    """Return the drop and the largest plausible drop of each subject; None without any.

    Requirements of a policy are left to the text: each has its own margin, some their own unit.
    """
    if gate.has_requirements:
        return None
    labels = PairLabels.of(subject.pair for subject in gate.subjects)
    effects = [
        effect for subject in worst_first(gate.subjects) if (effect := _drop_effect(subject, labels, gate))
    ]
    if not effects:
        return None
    margin, confidence = size_in_points(gate.rule.margin), level(1 - gate.rule.alpha)
    entries = legend(
        (effect_swatch(effects, "point"), "change of the pass rate, in points"),
        (effect_swatch(effects, "pale"), f"down to the largest plausible drop ({confidence})"),
        (swatch(vertical(0.5, "limit", half=10)), f"the margin: a drop of {margin}"),
    )
    caption = joined(entries, " The gate can pass where the whole bar lies right of the margin.")
    return forest(caption, effects, name=labels.noun, limit=-gate.rule.margin)


def _drop_effect(subject: SubjectGate, labels: PairLabels, gate: GateReport) -> Effect | None:
    drop, largest = subject.decision.evidence.drop, subject.decision.evidence.largest_plausible_drop
    if drop is None:
        return None
    name = pieces(decision_name(subject, labels.pair(subject.pair), gate))
    if largest is None:
        return Effect(name=name, value=-drop)
    reach = Interval(
        low=-max(largest, drop), high=-drop, level=1 - gate.rule.alpha, target=Target.RERUN, method=""
    )
    return Effect(name=name, value=-drop, interval=reach)


MOST = 40
IN_PERCENT = Unit(name="uplift", written=percent)
NOTHING = Estimate.undefined(Reason.BASELINE_MISSING)


def uplift(report: Report) -> Markup | None:
    """Return the uplift of every tier but the baseline; None if there is only one tier."""
    if not Labels.of(report).has_tiers:
        return None
    gains = {
        ranked.number: ranked.subject.uplift.of_mean
        for ranked in ranked_subjects(report)
        if ranked.subject.uplift
    }
    effects = [
        Effect(name=ranked.label, value=gain.value, interval=bounded_interval(Target.NEW_CASES, gain))
        for ranked in ranked_subjects(report)
        if (gain := gains.get(ranked.number, NOTHING)).value is not None
    ]
    if not effects:
        return None
    bars = f" Bars: {level(report.settings.level)} interval for new cases of the same kind."
    caption = (
        f"Mean score relative to the tier {report.settings.baseline_tier} of the same model."
        f"{bars if any(effect.interval for effect in effects) else ''}"
    )
    return forest(caption, effects[:MOST], name="tier", unit=IN_PERCENT)
