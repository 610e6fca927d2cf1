"""Draw the cases behind a gate's verdict: how often each passed before and how often now."""

from steelyard.model.gate import CarryingCase, GateReport
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import NO_LINKS, PageLinks, case_fragment, named
from steelyard.render.charts.rows import SHARE_AXIS, Head, Row, bar, dot, legend, row_chart, swatch
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.result_sentence import worst_first

HEADS = (
    Head(title="before", is_wide=True),
    Head(title="now"),
    Head(title="by itself", is_number=False, is_wide=True),
)


def carried_by(gate: GateReport, links: PageLinks = NO_LINKS) -> Markup | None:
    """Return a row for each case; None without any. Names link to the comparison page, if there is one."""
    labels = PairLabels.of(subject.pair for subject in gate.subjects)
    cases = [(case, subject.since) for subject in worst_first(gate.subjects) for case in subject.carried_by]
    if not cases:
        return None
    rows = [
        Row(
            name=_name(case, labels, links, since=since),
            marks=_marks(case),
            cells=(
                f"{case.baseline_passed} of {case.baseline_samples}",
                f"{case.current_passed} of {case.current_samples}",
                "beyond noise" if case.stands_out else "could be noise",
            ),
        )
        for case, since in cases
    ]
    caption = joined(
        legend((swatch(dot(0.5, "hollow-point")), "passed before"), (swatch(dot(0.5, "point worse")), "now")),
        " Drops beyond noise first, then the largest drops; at most ten cases of a subject.",
    )
    return row_chart(caption, SHARE_AXIS, rows, heads=HEADS, name="case")


def _name(carrying_case: CarryingCase, labels: PairLabels, links: PageLinks, *, since: str | None) -> Content:
    case = carrying_case.case
    subject = [named(case.model)] if labels.has_models else []
    subject += [named(case.tier)] if labels.has_tiers else []
    name: Markup = named(case.case)
    subject += [joined("since ", named(since))] if since else []
    if links.comparison and since is None:  # the comparison page is about the named baseline only
        name = tag("a", name, href=f"{links.comparison}#{case_fragment(case)}")
    return joined(
        name, tag("span", *(joined(" ", part) for part in subject), class_="tier") if subject else None
    )


def _marks(case: CarryingCase) -> list[Markup]:
    before, now = case.baseline_passed / case.baseline_samples, case.current_passed / case.current_samples
    low, high = sorted((before, now))
    return [
        bar(low, high, "dark worse", height=3),
        dot(before, "hollow-point", radius=4),
        dot(now, "point worse"),
    ]
