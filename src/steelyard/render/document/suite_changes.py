"""Show the change of each suite, and how the changes of single cases spread, as a chart of letters."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, SuiteComparison
from steelyard.model.estimate import Estimate
from steelyard.model.interval import Target
from steelyard.render.document.blocks import Code, Column, Line, Name, Section, line, numbers, words
from steelyard.render.document.intervals import heading
from steelyard.render.document.pair_labels import Sides
from steelyard.render.names import has_several
from steelyard.render.numbers import bounds, count, estimated, interval_for, points, share

SUITE_ROWS = 100
BARS = "▁▂▃▄▅▆▇█"
BINS = 20  # of a change of score from -1 to +1
EMPTY = "·"


def suite_changes(comparison: Comparison, sides: Sides) -> Section:
    """Return one row for each suite of each pair, where there is more than one suite."""
    rows = comparison.suites[:SUITE_ROWS]
    if not has_several(row.suite for row in comparison.suites):
        return Section()
    changes = [row.pass_rate_change for row in rows]
    levels = [interval.level for change in changes for interval in change.intervals]
    columns = (
        *(sides.pair_columns([row.pair for row in rows]) if has_several_pairs(comparison.suites) else ()),
        words("suite", rows, lambda row: Name(row.suite)),
        numbers("cases", rows, lambda row: count(row.cases)),
        numbers("worse", rows, lambda row: count(row.worse)),
        numbers("better", rows, lambda row: count(row.better)),
        numbers("baseline", rows, lambda row: share(row.baseline_pass_rate)),
        numbers("current", rows, lambda row: share(row.current_pass_rate)),
        numbers("points", changes, lambda change: estimated(change, points)),
        *(_interval_column(target, levels[0], changes) for target in Target if levels),
    )
    return Section(title="Change by suite", columns=columns, is_detail=True)


def has_several_pairs(suites: Sequence[SuiteComparison]) -> bool:
    """Whether more than one pair of subjects is among these."""
    return len({row.pair for row in suites}) > 1


def sparkline(comparison: Comparison) -> tuple[Line, ...]:
    """Return how many cases changed by how much, from the worst on the left to the best on the right."""
    changes = [change.delta for change in (*comparison.regressions, *comparison.improvements)]
    if not changes:
        return ()
    counts = [0] * BINS
    for delta in changes:
        counts[min(max(int((delta + 1) / 2 * BINS), 0), BINS - 1)] += 1
    half = BINS // 2
    fell, rose = bars(counts)[:half], bars(counts)[half:]
    said = "regressions and improvements by size, from -1 on the left to +1 on the right: "
    return (line(said, Code(f"{fell}|{rose}")),)


def bars(counts: Sequence[int]) -> str:
    """Return a bar of letters for each count; the highest is that of the largest.

    >>> bars([0, 1, 4, 8])
    '·▁▄█'
    """
    most = max(counts)
    return "".join(BARS[-(-count * len(BARS) // most) - 1] if count else EMPTY for count in counts)


def _interval_column(target: Target, level: float, changes: Sequence[Estimate]) -> Column:
    return numbers(
        heading(target, level), changes, lambda change: bounds(interval_for(target, change), points)
    )
