"""Draw what each tier gains over the baseline tier of the same model, in points with intervals."""

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.interval import Interval, Target
from steelyard.model.report import Report
from steelyard.render.charts.forest import Effect, forest
from steelyard.render.charts.markup import Markup, joined
from steelyard.render.charts.order import places
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import interval_for, level

MOST = 40
NOTHING = Estimate.undefined(Reason.BASELINE_MISSING)


def uplift(report: Report) -> Markup | None:
    """Return the gain of every tier but the baseline, or nothing where there is one tier."""
    if not Labels.of(report).has_tiers:
        return None
    gains = {place.number: place.subject.uplift.points for place in places(report) if place.subject.uplift}
    effects = [
        Effect(name=joined(place.badge, " ", place.name), value=gain.value, interval=_interval(gain))
        for place in places(report)
        if (gain := gains.get(place.number, NOTHING)).value is not None
    ]
    if not effects:
        return None
    bars = f" Bars: {level(report.settings.level)} interval on other cases like these."
    caption = (
        f"Points that the mean score gains over the tier {report.settings.baseline_tier} of the same model."
        f"{bars if any(effect.interval for effect in effects) else ''}"
    )
    return forest(caption, effects[:MOST], name="tier")


def _interval(gain: Estimate) -> Interval | None:
    found = interval_for(Target.NEW_CASES, gain)
    return found if found is not None and found.is_bounded else None
