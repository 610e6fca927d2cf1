"""The two runs that a gate judges."""

from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.paired_runs import PairedRuns

RUNS = PairedRuns(
    baseline=CaseCounts.of(n=[4, 5], c=[2, 5]),
    current=CaseCounts.of(n=[5, 3], c=[5, 3]),
    errors=([1, 0], [0, 2]),
)


def test_what_is_missing_passed_before_and_failed_now_at_worst() -> None:
    before, after = RUNS.passes_at_worst

    assert (before.n.tolist(), before.total.tolist()) == ([5, 5], [3, 5])
    assert (after.n.tolist(), after.total.tolist()) == ([5, 5], [5, 3])
    assert RUNS.missing_samples == 3


def test_without_scores_nothing_is_said_of_them() -> None:
    assert RUNS.scores_at_worst is None
    assert RUNS.score_drop is None
