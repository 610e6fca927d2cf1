"""Draw how the pass rate of each subject and suite changed, with intervals."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, SubjectComparison, SuiteComparison
from steelyard.model.estimate import Target
from steelyard.render.charts.forest import Effect, effect_swatch, forest
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named, pieces
from steelyard.render.charts.rows import legend
from steelyard.render.document.comparison import pair_labels
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.document.suite_changes import has_several_pairs
from steelyard.render.names import has_several
from steelyard.render.numbers import bounded_interval

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
