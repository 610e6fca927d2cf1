"""Show the change of each suite, and a text histogram of the changes of single cases."""

from collections.abc import Sequence

from steelyard.model.comparison import Comparison, SuiteComparison
from steelyard.render.document.blocks import (
    CodeSpan,
    Name,
    Section,
    TextLine,
    line,
    numbers,
    words,
)
from steelyard.render.document.intervals import change_columns
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.names import has_several
from steelyard.render.numbers import count, share

SUITE_ROWS = 100
BARS = "▁▂▃▄▅▆▇█"
BINS = 20  # of a change of score from -1 to +1
EMPTY = "·"


def suite_changes(comparison: Comparison, labels: PairLabels) -> Section:
    """Return a row for each suite of each pair, if there is more than one suite."""
    rows = comparison.suites[:SUITE_ROWS]
    if not has_several(row.suite for row in comparison.suites):
        return Section()
    columns = (
        *(labels.pair_columns([row.pair for row in rows]) if has_several_pairs(comparison.suites) else ()),
        words("suite", rows, lambda row: Name(row.suite)),
        numbers("cases", rows, lambda row: count(row.cases)),
        numbers("worse", rows, lambda row: count(row.worse)),
        numbers("better", rows, lambda row: count(row.better)),
        numbers("baseline", rows, lambda row: share(row.baseline_pass_rate)),
        numbers("current", rows, lambda row: share(row.current_pass_rate)),
        *change_columns("points", [row.pass_rate_change for row in rows]),
    )
    return Section(title="Change by suite", columns=columns, is_detail=True)


def has_several_pairs(suites: Sequence[SuiteComparison]) -> bool:
    """Whether there is more than one pair of subjects."""
    return len({row.pair for row in suites}) > 1


def sparkline(comparison: Comparison) -> tuple[TextLine, ...]:
    """Return a histogram of the changes, from the worst to the best."""
    changes = [change.delta for change in (*comparison.regressions, *comparison.improvements)]
    if not changes:
        return ()
    counts = [0] * BINS
    for delta in changes:
        counts[min(max(int((delta + 1) / 2 * BINS), 0), BINS - 1)] += 1
    half = BINS // 2
    fell, rose = bars(counts)[:half], bars(counts)[half:]
    text = "regressions and improvements by size, from -1 on the left to +1 on the right: "
    return (line(text, CodeSpan(f"{fell}|{rose}")),)


def bars(counts: Sequence[int]) -> str:
    """Return a bar character for each count, scaled to the largest.

    >>> bars([0, 1, 4, 8])
    '·▁▄█'
    """
    most = max(counts)
    return "".join(BARS[-(-count * len(BARS) // most) - 1] if count else EMPTY for count in counts)
