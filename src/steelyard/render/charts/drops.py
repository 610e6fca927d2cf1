"""Draw the largest plausible drop of each subject of a gate."""

from steelyard.model.estimate import Interval, Target
from steelyard.model.gate import GateReport, SubjectGate
from steelyard.render.charts.forest import Effect, effect_swatch, forest
from steelyard.render.charts.markup import Markup, joined
from steelyard.render.charts.names import pieces
from steelyard.render.charts.rows import legend, swatch, upright
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import decision_name
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.numbers import level, size_in_points


def plausible_drops(gate: GateReport) -> Markup | None:
    """Return the drop and the largest plausible drop of each subject; None without any.

    Requirements of a policy are left to the text: each has its own margin, some their own unit.
    """
    if gate.has_requirements:
        return None
    labels = PairLabels.of(subject.pair for subject in gate.subjects)
    effects = [effect for subject in worst_first(gate.subjects) if (effect := _effect(subject, labels, gate))]
    if not effects:
        return None
    margin, confidence = size_in_points(gate.rule.margin), level(1 - gate.rule.alpha)
    entries = legend(
        (effect_swatch(effects, "point"), "change of the pass rate, in points"),
        (effect_swatch(effects, "pale"), f"down to the largest plausible drop ({confidence})"),
        (swatch(upright(0.5, "limit", half=10)), f"the margin: a drop of {margin}"),
    )
    caption = joined(entries, " The gate can pass where the whole bar lies right of the margin.")
    return forest(caption, effects, name=labels.noun, limit=-gate.rule.margin)


def _effect(subject: SubjectGate, labels: PairLabels, gate: GateReport) -> Effect | None:
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
