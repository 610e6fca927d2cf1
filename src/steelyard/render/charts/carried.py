"""Draw the cases that a gate's verdict rests on: how often each passed before, and how often now."""

from steelyard.model.gate import CarryingCase, GateReport
from steelyard.render.charts.links import NO_LINKS, PageLinks, case_fragment
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.charts.rows import SHARE_AXIS, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.document.pair_labels import PairLabels

HEADS = (
    Head(title="before", is_wide=True),
    Head(title="now"),
    Head(title="by itself", is_number=False, is_wide=True),
)


def carried_by(gate: GateReport, links: PageLinks = NO_LINKS) -> Markup | None:
    """Return a row for each case, or nothing where the verdict rests on none.

    Names lead to the page of the comparison, where there is one.
    """
    labels = PairLabels.of(subject.pair for subject in gate.subjects)
    result = [(case, subject.since) for subject in gate.subjects for case in subject.carried_by]
    if not result:
        return None
    rows = [
        Row(
            name=_name(item, labels, links, since=since),
            marks=_marks(item),
            cells=(
                f"{item.baseline_passed} of {item.baseline_samples}",
                f"{item.current_passed} of {item.current_samples}",
                "beyond noise" if item.stands_out else "could be noise",
            ),
        )
        for item, since in result
    ]
    caption = joined(
        legend((swatch(dot(0.5, "hollow-point")), "passed before"), (swatch(dot(0.5, "point worse")), "now")),
        " Cases that dropped beyond noise first, then the largest drops; ten of a subject at the most.",
    )
    return row_chart(caption, SHARE_AXIS, rows, heads=HEADS, name="case")


def _name(carrying_case: CarryingCase, labels: PairLabels, links: PageLinks, *, since: str | None) -> Content:
    case = carrying_case.case
    whose = [named(case.model)] if labels.has_models else []
    whose += [named(case.tier)] if labels.has_tiers else []
    name: Markup = named(case.case)
    whose += [joined("since ", named(since))] if since else []
    if links.comparison and since is None:  # that page is about the baseline itself
        name = tag("a", name, href=f"{links.comparison}#{case_fragment(case)}")
    return joined(name, tag("span", *(joined(" ", part) for part in whose), class_="tier") if whose else None)


def _marks(case: CarryingCase) -> list[Markup]:
    before, now = case.baseline_passed / case.baseline_samples, case.current_passed / case.current_samples
    low, high = sorted((before, now))
    return [
        bar(low, high, "dark worse", height=3),
        dot(before, "hollow-point", radius=4),
        dot(now, "point worse"),
    ]
