"""Show suites against subjects as a heat map of accuracy."""

from collections.abc import Sequence

from steelyard.model.estimate import Estimate
from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.charts.subjects import RankedSubject, ranked_subjects
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import UNDEFINED, in_percent
from steelyard.render.words import counted

STEPS = 10
MOST_ACROSS = 10
MOST_DOWN = 60

Cells = dict[tuple[str, str, str], Estimate]


def heat_map(report: Report) -> Markup | None:
    """Return the accuracy of every subject in every suite; None if there is only one suite."""
    if not Labels.of(report).has_suites:
        return None
    cells = {(suite.model, suite.tier, suite.suite): suite.accuracy for suite in report.suites}
    suites = list(dict.fromkeys(suite.suite for suite in report.suites))
    subjects = ranked_subjects(report)
    if len(suites) <= MOST_ACROSS:
        table = _by_subject(subjects[:MOST_DOWN], suites, cells, Labels.of(report).noun)
        left_out = len(subjects) - MOST_DOWN
    else:
        table = _by_suite(subjects, suites[:MOST_DOWN], cells)
        left_out = len(suites) - MOST_DOWN
    more = f" {counted(left_out, 'more row')} among the numbers." if left_out > 0 else ""
    caption = f"Accuracy: mean pass rate of the suite's cases. Blue: all passed; orange: none.{more}"
    return tag(
        "figure",
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="suites"),
        tag("figcaption", caption),
    )


def shade(value: float) -> str:
    """Return the CSS class of a cell: h0 for 0, h10 for 1, nine steps between.

    >>> shade(0), shade(0.5), shade(0.999), shade(1)
    ('h0', 'h5', 'h9', 'h10')
    """
    return f"h{min(int(STEPS * value + (0 if value in {0, 1} else 0.5)), STEPS if value == 1 else STEPS - 1)}"


def _by_subject(subjects: Sequence[RankedSubject], suites: Sequence[str], cells: Cells, noun: str) -> Markup:
    rows = [(subject.label, [cells.get((*subject.key, suite)) for suite in suites]) for subject in subjects]
    return _table([noun, *map(named, suites)], rows)


def _by_suite(subjects: Sequence[RankedSubject], suites: Sequence[str], cells: Cells) -> Markup:
    heads = [joined(subject.badge, tag("br"), subject.name) for subject in subjects]
    rows = [(named(suite), [cells.get((*subject.key, suite)) for subject in subjects]) for suite in suites]
    return _table(["suite", *heads], rows)


def _table(heads: Sequence[str], rows: Sequence[tuple[Markup, Sequence[Estimate | None]]]) -> Markup:
    head = (tag("th", title, scope="col") for title in heads)
    body = (tag("tr", tag("th", name, scope="row"), map(_cell, row)) for name, row in rows)
    return tag("table", tag("thead", tag("tr", head)), tag("tbody", body), class_="heat")


def _cell(accuracy: Estimate | None) -> Markup:
    if accuracy is None or accuracy.value is None:
        return tag("td", UNDEFINED)
    return tag("td", in_percent(accuracy.value), class_=shade(accuracy.value))
