from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts, CaseSums
from steelyard.metrics.cmh import PMethod, cmh_test
from steelyard.metrics.comparison import RunComparison, compare_runs
from steelyard.metrics.dependence import rises_as_well
from steelyard.metrics.drop_test import joint_drop_test
from steelyard.metrics.gates import decide_once, one_shot_gate
from steelyard.metrics.multiplicity import TIE, fisher_tests, standing_out
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.plausible import largest_drop
from steelyard.model.verdict import GateRule, Ground, Verdict
from tests.metrics.strategies import paired_runs, runs

Pair = tuple[CaseCounts, CaseCounts]

STEADY = CaseCounts.of(n=5, c=[5] * 164)
ONE_BROKEN = CaseCounts.of(n=5, c=[5] * 80 + [0] + [5] * 83)


def compared(baseline: CaseCounts, current: CaseCounts) -> RunComparison:
    return compare_runs(PairedRuns(baseline=baseline, current=current))


# --- one shot ---------------------------------------------------------------------------------------


def test_two_equal_calm_runs_pass() -> None:
    decision = one_shot_gate(STEADY, STEADY)

    assert decision.verdict is Verdict.PASS
    assert decision.grounds == (Ground.WITHIN_MARGIN,)
    assert decision.evidence.drop == 0
    assert decision.evidence.more_samples is None
    assert decision.evidence.p_method == PMethod.NO_EVIDENCE


def test_one_broken_case_of_164_fails_and_is_named() -> None:
    decision = one_shot_gate(STEADY, ONE_BROKEN)

    assert decision.verdict is Verdict.FAIL
    assert decision.evidence.broken_cases == (80,)
    assert Ground.BROKEN_CASES in decision.grounds


def test_a_small_drop_everywhere_fails_without_naming_a_case() -> None:
    decision = one_shot_gate(CaseCounts.of(n=5, c=[4] * 164), CaseCounts.of(n=5, c=[3] * 164))

    assert decision.verdict is Verdict.FAIL
    assert decision.grounds == (Ground.OVERALL_DROP,)
    assert decision.evidence.broken_cases == ()


def test_too_few_samples_say_how_many_more_would_decide() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1, 0] * 40), CaseCounts.of(n=1, c=[0, 1] * 40)

    decision = one_shot_gate(baseline, current)

    assert decision.verdict is Verdict.INCONCLUSIVE
    assert decision.grounds == (Ground.TOO_FEW_SAMPLES,)
    assert decision.evidence.more_samples is not None
    assert decision.evidence.more_samples > 10


def test_the_promised_samples_do_decide() -> None:
    noisy = [1, 0, 1, 0, 1, 1, 0, 1] * 20
    first = one_shot_gate(CaseCounts.of(n=2, c=noisy), CaseCounts.of(n=2, c=noisy))
    assert first.evidence.more_samples is not None
    n = 2 + first.evidence.more_samples

    # The same rates again, with as many samples as were asked for.
    passes = np.round(np.array(noisy) * n / 2).astype(int)
    second = one_shot_gate(CaseCounts.of(n=n, c=passes), CaseCounts.of(n=n, c=passes))

    assert first.verdict is Verdict.INCONCLUSIVE
    assert second.verdict is Verdict.PASS


@settings(deadline=None, max_examples=25)
@given(paired_runs())
def test_the_verdict_follows_from_the_tests_the_margin_and_the_cases(pair: Pair) -> None:
    decision = one_shot_gate(*pair)

    test = joint_drop_test(*pair)
    rejects = test.p <= 0.05 * TIE
    both_ways = rejects and rises_as_well(*pair)
    largest = largest_drop(pair[0].sums, pair[1].sums, alpha=0.05)
    passes = not rejects and largest < 0.05 and not standing_out(fisher_tests(*pair))
    expected = Verdict.FAIL if rejects and not both_ways else Verdict.PASS if passes else Verdict.INCONCLUSIVE
    assert decision.verdict is expected
    assert decision.evidence.largest_plausible_drop == largest
    assert (decision.evidence.p_joint, decision.evidence.p_overall) == (test.p, cmh_test(*pair).p)
    # Where single samples contradict each other, no number of them that we could name would do.
    assert decision.evidence.more_samples is None or decision.grounds == (Ground.TOO_FEW_SAMPLES,)


def test_what_a_comparison_names_keeps_a_gate_from_passing() -> None:
    # Eight cases break and thirty-two rise by a sample: together they did not drop.
    baseline = CaseCounts.of(n=5, c=[5] * 8 + [2] * 40 + [5] * 116)
    current = CaseCounts.of(n=5, c=[0] * 8 + [3] * 40 + [5] * 116)

    decision = one_shot_gate(baseline, current)

    assert set(decision.evidence.standing_out) == set(compared(baseline, current).standing_out)
    assert decision.evidence.standing_out == tuple(range(8))
    assert decision.verdict is not Verdict.PASS


@settings(deadline=None, max_examples=25)
@given(runs())
def test_a_run_never_fails_against_itself(counts: CaseCounts) -> None:
    assert one_shot_gate(counts, counts).verdict is not Verdict.FAIL


def test_a_drop_of_single_samples_has_all_of_alpha() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 100), CaseCounts.of(n=1, c=[0] * 5 + [1] * 95)

    decision = one_shot_gate(baseline, current)

    assert decision.evidence.p_overall == pytest.approx(1 / 32)
    assert decision.grounds == (Ground.OVERALL_DROP,)


def test_with_a_stricter_alpha_a_broken_case_no_longer_fails_but_does_not_pass_either() -> None:
    nightly = one_shot_gate(STEADY, ONE_BROKEN, rule=GateRule(alpha=0.001))

    assert nightly.verdict is Verdict.INCONCLUSIVE
    assert nightly.grounds == (Ground.CASES_STAND_OUT,)
    assert nightly.evidence.standing_out == (80,)


def test_a_wider_margin_is_easier_to_stay_within() -> None:
    noisy = CaseCounts.of(n=2, c=[1] * 50)

    assert one_shot_gate(noisy, noisy).verdict is Verdict.INCONCLUSIVE
    assert one_shot_gate(noisy, noisy, rule=GateRule(margin=0.3)).verdict is Verdict.PASS


def test_what_the_test_rejects_never_passes_even_if_no_case_stands_out() -> None:
    before = CaseCounts.of(n=5, c=[4] * 300 + [1] * 300)
    after = CaseCounts.of(n=5, c=[1] * 300 + [4] * 300)

    decided = one_shot_gate(before, after)

    assert decided.verdict is Verdict.FAIL
    assert decided.grounds == (Ground.SEVERAL_CASES,)
    assert decided.evidence.broken_cases == ()


def test_one_sample_after_a_hundred_is_one_sample() -> None:
    before, after = CaseCounts.of(n=100, c=[100] * 31), CaseCounts.of(n=1, c=[1] * 31)

    decided = one_shot_gate(before, after)

    assert decided.verdict is Verdict.INCONCLUSIVE
    assert decided.evidence.largest_plausible_drop == pytest.approx(0.097, abs=0.001)


def test_a_single_case_is_judged_like_any_other() -> None:
    decided = one_shot_gate(CaseCounts.of(n=20, c=[20]), CaseCounts.of(n=20, c=[10]))

    assert decided.verdict is Verdict.FAIL
    assert decided.evidence.p_sparse == pytest.approx(decided.evidence.p_overall, abs=0.001)


def test_one_more_sample_decides_where_none_of_33_failed() -> None:
    all_passed = CaseCounts.of(n=1, c=[1] * 33)

    found = one_shot_gate(all_passed, all_passed).evidence.more_samples

    assert found is not None
    assert found <= 3
    more = CaseCounts.of(n=1 + found, c=[1 + found] * 33)
    assert one_shot_gate(more, more).verdict is Verdict.PASS


def test_no_number_of_samples_decides_while_errors_hide_more_than_the_margin() -> None:
    counts = CaseCounts.of(n=24, c=[24] * 40)
    runs = PairedRuns(baseline=counts, current=counts, errors=([0] * 40, [1] * 40), error_share=0.04)

    decided = decide_once(runs, rule=GateRule(margin=0.02))

    assert decided.verdict is Verdict.INCONCLUSIVE
    assert decided.evidence.more_samples is None


@pytest.mark.parametrize("alpha", [0, 1e-5, 0.5])
def test_a_level_that_the_draws_cannot_show_is_refused(alpha: float) -> None:
    with pytest.raises(DomainError, match="alpha"):
        GateRule(alpha=alpha)


# --- scores, and samples that are missing -----------------------------------------------------------


def scores(cases: int, *values: float) -> CaseSums:
    """Return a run in which every case has samples of these scores."""
    return CaseSums.of(
        n=[len(values)] * cases,
        total=[sum(values)] * cases,
        total_sq=[sum(value**2 for value in values)] * cases,
    )


NEVER = CaseCounts.of(n=5, c=[0] * 60)


def test_scores_that_fall_fail_the_gate_though_no_pass_changed() -> None:
    before, after = scores(60, *[0.975] * 5), scores(60, *[0.525] * 5)

    decision = decide_once(PairedRuns(baseline=NEVER, current=NEVER, scores=(before, after)))

    assert decision.verdict is Verdict.FAIL
    assert decision.grounds == (Ground.SCORE_DROP,)
    assert decision.evidence.score_drop == pytest.approx(0.45)
    assert decision.evidence.p_joint == 1


def test_a_score_that_may_have_dropped_by_the_margin_keeps_a_gate_from_passing() -> None:
    noisy = scores(60, 0.0, 1.0, 0.2, 0.9, 0.4)

    decision = decide_once(
        PairedRuns(baseline=STEADY.take(range(60)), current=STEADY.take(range(60)), scores=(noisy, noisy))
    )

    assert decision.evidence.largest_plausible_drop is not None
    assert (
        decision.evidence.largest_plausible_drop
        < 0.05
        < (decision.evidence.largest_plausible_score_drop or 0)
    )
    assert decision.grounds == (Ground.TOO_FEW_SAMPLES,)


def test_passes_and_scores_share_alpha_where_both_could_show_a_drop() -> None:
    before, after = CaseCounts.of(n=1, c=[1] * 100), CaseCounts.of(n=1, c=[0] * 5 + [1] * 95)
    flat = CaseSums.of(n=[1] * 100, total=[0.5, 0.6] * 50, total_sq=[0.25, 0.36] * 50)
    risen = CaseSums.of(n=[1] * 100, total=[0.6] * 100, total_sq=[0.36] * 100)

    alone = decide_once(PairedRuns(baseline=before, current=after))
    shared = decide_once(PairedRuns(baseline=before, current=after, scores=(flat, risen)))

    assert alone.verdict is Verdict.FAIL  # p = 1/32
    assert shared.verdict is not Verdict.FAIL


def test_five_scores_of_one_sample_that_fell_are_no_proof() -> None:
    before = CaseSums.of(n=[1] * 5, total=[0.9] * 5, total_sq=[0.81] * 5)
    after = CaseSums.of(n=[1] * 5, total=[0.8] * 5, total_sq=[0.64] * 5)
    same = CaseCounts.of(n=1, c=[1] * 5)

    p = decide_once(PairedRuns(baseline=same, current=same, scores=(before, after))).evidence.p_score

    assert p is not None
    assert p >= 1 / 32  # what five coins say


def test_missing_samples_count_at_their_worst_before_a_pass() -> None:
    whole, holes = CaseCounts.of(n=5, c=[5] * 40), CaseCounts.of(n=[4] * 8 + [5] * 32, c=[4] * 8 + [5] * 32)
    missing = ([0] * 40, [1] * 8 + [0] * 32)

    trusting = decide_once(PairedRuns(baseline=whole, current=holes), rule=GateRule(margin=0.02))
    careful = decide_once(
        PairedRuns(baseline=whole, current=holes, errors=missing, error_share=0.04),
        rule=GateRule(margin=0.02),
    )

    assert trusting.verdict is Verdict.PASS
    assert careful.verdict is Verdict.INCONCLUSIVE
    assert careful.evidence.missing_samples == 8
    assert (careful.evidence.largest_plausible_drop or 0) > 0.04


def test_a_sample_missing_from_the_baseline_counts_as_passed() -> None:
    before, after = CaseCounts.of(n=4, c=[2] * 40), CaseCounts.of(n=5, c=[2] * 40)

    none, one = (
        decide_once(PairedRuns(baseline=before, current=after, errors=([lost] * 40, [0] * 40)))
        for lost in (0, 1)
    )

    assert one.evidence.drop == none.evidence.drop
    assert (one.evidence.largest_plausible_drop or 0) > (none.evidence.largest_plausible_drop or 0)


# --- refusals ---------------------------------------------------------------------------------------


def test_nothing_is_decided_when_too_much_is_missing() -> None:
    decision = one_shot_gate(STEADY, ONE_BROKEN, error_share=0.06)

    assert decision.verdict is Verdict.INCONCLUSIVE
    assert decision.grounds == (Ground.TOO_MANY_ERRORS,)
    assert decision.evidence.p_overall is None


def test_nothing_is_decided_without_shared_cases() -> None:
    empty = CaseCounts.of(n=[], c=[])

    assert one_shot_gate(empty, empty).grounds == (Ground.NO_SHARED_CASES,)


def test_a_few_errors_do_not_keep_the_gate_from_deciding() -> None:
    assert one_shot_gate(STEADY, ONE_BROKEN, error_share=0.05).verdict is Verdict.FAIL


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_an_impossible_error_share_is_refused(share: float) -> None:
    with pytest.raises(DomainError, match="error share"):
        one_shot_gate(STEADY, STEADY, error_share=share)


@pytest.mark.parametrize(
    "change",
    [
        {"alpha": 0},
        {"alpha": 0.5},
        {"margin": 0},
        {"margin": 2},
        {"max_error_share": -1},
        {"confirm_cases": 0},
        {"confirm_samples": 0},
    ],
)
def test_an_impossible_rule_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        replace(GateRule(), **change)


def test_where_the_mean_rose_a_fail_names_cases_and_claims_no_overall_drop() -> None:
    """One case of many samples falls for sure; the others, of few samples, rise."""
    before = CaseCounts.of(n=[400, *[2] * 20], c=[400, *[1] * 20])
    after = CaseCounts.of(n=[400, *[2] * 20], c=[200, *[2] * 3, *[1] * 17])

    found = one_shot_gate(before, after)

    assert found.evidence.drop is not None
    assert found.evidence.drop < 0
    assert found.evidence.p_overall is not None
    assert found.evidence.p_overall < 0.05
    assert found.grounds == (Ground.BROKEN_CASES,)
    assert found.evidence.broken_cases == (0,)


def test_with_unequal_runs_the_smaller_one_says_how_many_samples_are_missing() -> None:
    few, many = (CaseCounts.of(n=n, c=[n] * 20) for n in (2, 10))

    even = one_shot_gate(few, few).evidence.more_samples

    assert even is not None
    for pair in ((few, many), (many, few)):
        found = one_shot_gate(*pair).evidence.more_samples
        assert found is not None
        assert even < found < 10
