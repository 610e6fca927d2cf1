"""Show a comparison as a page for a browser: the verdict in words, the differences, the cases that moved."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, PairedSubject, SubjectComparison, SuiteComparison
from steelyard.model.interval import Interval, Target
from steelyard.render.charts.flips import flips
from steelyard.render.charts.forest import Effect, forest
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.order import named
from steelyard.render.charts.rows import bar, dot, legend, swatch
from steelyard.render.document.blocks import Section
from steelyard.render.document.changes import answers, changes_section
from steelyard.render.document.comparison import compared, listed_cases, sides_of, threshold_rule
from steelyard.render.document.pair_labels import Sides
from steelyard.render.document.suite_changes import has_several_pairs, suite_changes
from steelyard.render.html.blocks import folded, pieces, sections, sentence
from steelyard.render.html.document import document, figures, navigation, parts_of
from steelyard.render.names import has_several
from steelyard.render.numbers import count, interval_for, size_in_points

MOST = 60


class HtmlComparison:
    """A comparison as a page."""

    def render(self, comparison: Comparison) -> str:
        """Return the whole text, ending in a newline."""
        sides = sides_of(comparison)
        parts = parts_of(
            (
                "change",
                "Change",
                (_subjects(comparison, sides), _numbers(changes_section(comparison, sides))),
            ),
            ("suites", "By suite", (_suites(comparison, sides), _numbers(suite_changes(comparison, sides)))),
            ("seen", "What could have been seen", (_seen(comparison, sides),)),
            (
                "regressions",
                "Regressions by the threshold rule",
                (flips(comparison, comparison.regressions, sides),),
            ),
            ("improvements", "Improvements", (flips(comparison, comparison.improvements, sides),)),
            ("lone", "Not compared", tuple(_lone(comparison, sides))),
        )
        return document(
            "Steelyard comparison",
            navigation(parts),
            tag("header", _opening(comparison, sides)),
            tag("main", (part.markup for part in parts), id="content"),
            tag("footer", sentence(compared(comparison, sides))),
        )


def _opening(comparison: Comparison, sides: Sides) -> Markup:
    first, *others = answers(comparison, sides)
    return joined(
        tag("p", "Steelyard comparison", class_="over"),
        tag("h1", pieces(first.pieces), class_=f"verdict tone-{first.tone}"),
        tag("ul", (sentence(line, kind="li") for line in others), class_="answers") if others else None,
        figures(
            [
                ("regressions", count(len(comparison.regressions))),
                ("improvements", count(len(comparison.improvements))),
                ("unchanged", count(comparison.unchanged)),
            ]
        ),
        [sentence(line) for line in threshold_rule(comparison)],
    )


def _subjects(comparison: Comparison, sides: Sides) -> Markup | None:
    effects = [
        _effect(row, pieces(sides.pair(row.pair)), is_total=True) for row in comparison.subjects[:MOST]
    ]
    return forest(_caption(), effects, name=sides.noun) if effects else None


def _suites(comparison: Comparison, sides: Sides) -> Markup | None:
    if not has_several(row.suite for row in comparison.suites):
        return None
    is_told = has_several_pairs(comparison.suites)
    effects = [
        _effect(row, joined(named(row.suite), _of(row.pair, sides) if is_told else None))
        for row in comparison.suites[:MOST]
    ]
    return forest(_caption(), effects, name="suite")


def _of(pair: PairedSubject, sides: Sides) -> Markup:
    return tag("span", " ", pieces(sides.pair(pair)), class_="tier")


def _effect(row: SubjectComparison | SuiteComparison, name: Content, *, is_total: bool = False) -> Effect:
    change = row.pass_rate_change
    return Effect(
        name=name,
        value=change.value or 0.0,
        interval=_bounded(interval_for(Target.NEW_CASES, change)),
        again=_bounded(interval_for(Target.RERUN, change)),
        is_total=is_total,
    )


def _bounded(interval: Interval | None) -> Interval | None:
    return interval if interval is not None and interval.is_bounded else None


def _caption() -> Markup:
    return joined(
        legend(
            (swatch(dot(0.5, "point")), "change of the pass rate, in points"),
            (swatch(bar(0, 1, "pale", height=10)), "interval on other cases like these"),
            (swatch(bar(0, 1, "dark", height=4)), "interval on these cases drawn again, told beside"),
        ),
        " Orange is worse. A bar that crosses the dashed line leaves open whether anything changed.",
    )


def _seen(comparison: Comparison, sides: Sides) -> Markup | None:
    known = [(row, row.detectable_drop) for row in comparison.subjects if row.detectable_drop is not None]
    told = [
        tag(
            "li",
            pieces(sides.pair(row.pair)),
            f": a drop of {size_in_points(drop)} or more, four times out of five.",
        )
        for row, drop in known[:MOST]
    ]
    return tag("ul", told) if told else None


def _lone(comparison: Comparison, sides: Sides) -> Sequence[Markup | None]:
    return [
        folded(part.title, sections([_untitled(part)]))
        for part in listed_cases(comparison, sides)
        if not part.is_empty
    ]


def _untitled(section: Section) -> Section:
    return Section(columns=section.columns, lines=section.lines)


def _numbers(section: Section) -> Markup | None:
    return folded("Numbers", sections([section]))
