"""The two runs that a gate judges."""

from steelyard.metrics.cases import CaseCounts, CaseSums
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


def test_a_sample_without_a_score_scored_1_before_and_0_now_at_worst() -> None:
    counts = CaseCounts.of(n=4, c=[4])
    scores = CaseSums.of(n=[2], total=[1.8], total_sq=[1.62])
    runs = PairedRuns(baseline=counts, current=counts, scores=(scores, scores), unscored=([2], [2]))

    before, after = runs.scores_at_worst or (scores, scores)

    assert (before.n.tolist(), before.total.tolist()) == ([4], [3.8])
    assert (after.n.tolist(), after.total.tolist()) == ([4], [1.8])
    assert runs.passes_at_worst[1].n.tolist() == [4]


def test_without_scores_nothing_is_said_of_them() -> None:
    assert RUNS.scores_at_worst is None
    assert RUNS.score_drop is None


def test_exchanged_runs_have_everything_the_other_way_round() -> None:
    one, other = CaseCounts.of(n=2, c=[2]), CaseCounts.of(n=2, c=[0])
    old, new = one.sums, other.sums
    runs = PairedRuns(
        baseline=one,
        current=other,
        scores=(old, new),
        errors=([1], [2]),
        lost=([3], [4]),
        lost_samples=5,
        error_share=0.25,
    )

    found = runs.exchanged

    assert (found.baseline, found.current, found.scores) == (other, one, (new, old))
    assert (found.errors, found.lost) == (([2], [1]), ([4], [3]))
    assert (found.lost_samples, found.error_share) == (5, 0.25)
    assert PairedRuns(baseline=one, current=other).exchanged.scores is None
