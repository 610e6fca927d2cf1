"""Draw what each tier gains over the baseline tier of the same model, in percent with intervals."""

from steelyard.model.estimate import Estimate, Reason, Target
from steelyard.model.report import Report
from steelyard.render.charts.forest import Effect, Unit, forest
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.subjects import ranked_subjects
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import bounded_interval, level, percent

MOST = 40
IN_PERCENT = Unit(name="uplift", written=percent)
NOTHING = Estimate.undefined(Reason.BASELINE_MISSING)


def uplift(report: Report) -> Markup | None:
    """Return the gain of every tier but the baseline, or nothing where there is one tier."""
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
    bars = f" Bars: {level(report.settings.level)} interval on other cases like these."
    caption = (
        f"By how much the mean score exceeds that of the tier {report.settings.baseline_tier}, same model."
        f"{bars if any(effect.interval for effect in effects) else ''}"
    )
    return forest(caption, effects[:MOST], name="tier", unit=IN_PERCENT)
