"""One metric of two runs, judged by itself."""

import pytest

from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.requirements import decide_amounts, decide_scores
from steelyard.model.verdict import GateRule, Ground, Verdict

PASSED = CaseCounts.of(n=5, c=[5] * 60)
RULE = GateRule()


def scored(old: float, new: float, *, current: CaseCounts = PASSED) -> PairedRuns:
    runs = [CaseSums.of(n=[5] * 60, total=[5 * x] * 60, total_sq=[5 * x * x] * 60) for x in (old, new)]
    return PairedRuns(baseline=PASSED, current=current, scores=(runs[0], runs[1]))


def test_scores_that_fall_fail_though_everything_passes() -> None:
    found = decide_scores(scored(0.9, 0.6), rule=RULE)

    assert (found.verdict, found.grounds) == (Verdict.FAIL, (Ground.SCORE_DROP,))
    assert found.evidence.score_drop == pytest.approx(0.3)


def test_scores_that_stay_pass_though_the_passes_fall() -> None:
    found = decide_scores(scored(0.9, 0.9, current=CaseCounts.of(n=5, c=[0] * 60)), rule=RULE)

    assert found.verdict is Verdict.PASS
    assert found.evidence.drop is None


def test_scores_are_open_while_a_drop_of_the_margin_is_plausible() -> None:
    found = decide_scores(scored(0.9, 0.9), rule=GateRule(margin=0.001))

    assert (found.verdict, found.grounds) == (Verdict.INCONCLUSIVE, (Ground.TOO_FEW_SAMPLES,))


def test_where_scores_are_passes_they_are_judged_as_passes() -> None:
    found = decide_scores(PairedRuns(baseline=PASSED, current=CaseCounts.of(n=5, c=[0] * 60)), rule=RULE)

    assert found.grounds[0] is Ground.OVERALL_DROP


def test_too_many_errors_leave_scores_and_amounts_open() -> None:
    one = CaseCounts.of(n=1, c=[1])
    runs = PairedRuns(baseline=one, current=one, scores=(one.sums, one.sums), error_share=0.5)

    assert decide_scores(runs, rule=RULE).grounds == (Ground.TOO_MANY_ERRORS,)
    assert decide_amounts(runs, [1.0], [1.0], margin=0.1, rule=RULE).grounds == (Ground.TOO_MANY_ERRORS,)


@pytest.mark.parametrize(
    ("times", "verdict"),
    [(1.0, Verdict.PASS), (1.0999, Verdict.PASS), (1.1, Verdict.FAIL), (1.3, Verdict.FAIL)],
)
def test_a_rise_fails_from_the_margin_on(times: float, verdict: Verdict) -> None:
    six = CaseCounts.of(n=1, c=[1] * 6)
    old = [0.1, 0.2, 0.3, 0.7, 1.1, 1.3]

    found = decide_amounts(
        PairedRuns(baseline=six, current=six), old, [times * x for x in old], margin=0.1, rule=RULE
    )

    assert found.verdict is verdict
    assert found.grounds == ((Ground.RISE,) if verdict is Verdict.FAIL else (Ground.WITHIN_MARGIN,))


def test_a_rise_in_a_few_cases_only_is_open() -> None:
    six = CaseCounts.of(n=1, c=[1] * 6)

    found = decide_amounts(
        PairedRuns(baseline=six, current=six), [1.0] * 6, [1.0] * 4 + [1.5] * 2, margin=0.1, rule=RULE
    )

    assert (found.verdict, found.grounds) == (Verdict.INCONCLUSIVE, (Ground.TOO_FEW_SAMPLES,))
    assert found.evidence.rise == pytest.approx(1 / 6)
    assert found.evidence.smallest_plausible_rise == 0.0


def test_a_rise_from_nothing_is_above_every_margin() -> None:
    six = CaseCounts.of(n=1, c=[1] * 6)

    found = decide_amounts(
        PairedRuns(baseline=six, current=six), [0.0] * 6, [0.0] * 5 + [1.0], margin=9.0, rule=RULE
    )

    assert (found.verdict, found.grounds) == (Verdict.FAIL, (Ground.RISE,))
