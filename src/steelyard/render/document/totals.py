"""Summarise a result in a few numbers, shown in large type on pages."""

from collections.abc import Iterable

from steelyard.model.comparison import Comparison
from steelyard.model.report import Report
from steelyard.render.document.blocks import Section, TableColumn
from steelyard.render.numbers import count, usd

ALWAYS_SHOWN = {"cases", "samples"}


def report_totals(report: Report) -> Section:
    """Return the size of a report; dimensions with one value are omitted."""
    numbers = [
        ("models", len({subject.model for subject in report.subjects})),
        ("tiers", len({subject.tier for subject in report.subjects})),
        ("suites", len({suite.suite for suite in report.suites})),
        ("cases", len({(case.suite, case.case) for case in report.cases})),
        ("samples", sum(subject.samples for subject in report.subjects)),
    ]
    shown = [_total(name, number) for name, number in numbers if number != 1 or name in ALWAYS_SHOWN]
    return _totals([*shown, *_spent(report)])


def comparison_totals(comparison: Comparison) -> Section:
    """Return the numbers of changed and unchanged cases."""
    numbers = {
        "regressions": len(comparison.regressions),
        "improvements": len(comparison.improvements),
        "unchanged": comparison.unchanged,
    }
    return _totals(_total(name, number) for name, number in numbers.items())


def _total(name: str, number: int) -> tuple[str, str]:
    return name.removesuffix("s") if number == 1 else name, count(number)


def _spent(report: Report) -> list[tuple[str, str]]:
    costs = [subject.total_cost_usd.value for subject in report.subjects]
    known = [cost for cost in costs if cost is not None]
    return [("spent", usd(sum(known)))] if known and len(known) == len(costs) else []


def _totals(numbers: Iterable[tuple[str, str]]) -> Section:
    columns = tuple(TableColumn(title=name, cells=(number,)) for name, number in numbers)
    return Section(columns=columns, only_in=frozenset({"html"}))
