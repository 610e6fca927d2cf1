from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import PMethod, cmh_test
from steelyard.metrics.comparison import compare_runs
from steelyard.metrics.gates import confirm_decision, confirm_plan, one_shot_gate
from steelyard.metrics.multiplicity import TIE, fisher_tests, standing_out, tarone
from steelyard.metrics.plausible import largest_drop
from steelyard.model.verdict import GateDecision, GateRule, Ground, Verdict
from tests.metrics.strategies import paired_runs, runs, unhurried

Pair = tuple[CaseCounts, CaseCounts]

STEADY = CaseCounts.of(n=5, c=[5] * 164)
ONE_BROKEN = CaseCounts.of(n=5, c=[5] * 80 + [0] + [5] * 83)


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
    first = one_shot_gate(CaseCounts.of(n=2, c=noisy), CaseCounts.of(n=2, c=noisy[::-1]))
    assert first.evidence.more_samples is not None
    n = 2 + first.evidence.more_samples

    # The same rates again, with as many samples as were asked for.
    passes = np.round(np.array(noisy) * n / 2).astype(int)
    second = one_shot_gate(CaseCounts.of(n=n, c=passes), CaseCounts.of(n=n, c=passes[::-1]))

    assert first.verdict is Verdict.INCONCLUSIVE
    assert second.verdict is Verdict.PASS


@unhurried
@given(paired_runs())
def test_the_verdict_follows_from_the_tests_the_margin_and_the_cases(pair: Pair) -> None:
    decision = one_shot_gate(*pair)

    tests = fisher_tests(*pair)
    broken = tarone(tests, alpha=0.025)
    rejects = cmh_test(*pair).p <= (0.025 if broken.tested else 0.05) * TIE or bool(broken.cases)
    largest = largest_drop(pair[0].sums, pair[1].sums, alpha=0.05)
    passes = largest < 0.05 and not standing_out(tests)
    expected = Verdict.FAIL if rejects else Verdict.PASS if passes else Verdict.INCONCLUSIVE
    assert decision.verdict is expected
    assert decision.evidence.largest_plausible_drop == largest
    assert (decision.evidence.more_samples is not None) == (decision.grounds == (Ground.TOO_FEW_SAMPLES,))


def test_what_a_comparison_names_keeps_a_gate_from_passing() -> None:
    # Eight cases break and thirty-two rise by a sample: together they did not drop.
    baseline = CaseCounts.of(n=5, c=[5] * 8 + [2] * 40 + [5] * 116)
    current = CaseCounts.of(n=5, c=[0] * 8 + [3] * 40 + [5] * 116)

    decision = one_shot_gate(baseline, current)

    assert set(decision.evidence.standing_out) == set(compare_runs(baseline, current).standing_out)
    assert decision.evidence.standing_out == tuple(range(8))
    assert decision.verdict is not Verdict.PASS


@unhurried
@given(runs())
def test_a_run_never_fails_against_itself(counts: CaseCounts) -> None:
    assert one_shot_gate(counts, counts).verdict is not Verdict.FAIL


def test_where_no_case_could_be_found_broken_the_overall_test_has_all_of_alpha() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 100), CaseCounts.of(n=1, c=[0] * 5 + [1] * 95)

    decision = one_shot_gate(baseline, current)

    assert decision.evidence.p_overall == pytest.approx(1 / 32)
    assert decision.grounds == (Ground.OVERALL_DROP,)


def test_with_a_stricter_alpha_a_broken_case_no_longer_fails_but_does_not_pass_either() -> None:
    nightly = one_shot_gate(STEADY, ONE_BROKEN, rule=GateRule(alpha=0.003))

    assert nightly.verdict is Verdict.INCONCLUSIVE
    assert nightly.grounds == (Ground.CASES_STAND_OUT,)
    assert nightly.evidence.standing_out == (80,)


def test_a_wider_margin_is_easier_to_stay_within() -> None:
    noisy = CaseCounts.of(n=2, c=[1] * 50)

    assert one_shot_gate(noisy, noisy).verdict is Verdict.INCONCLUSIVE
    assert one_shot_gate(noisy, noisy, rule=GateRule(margin=0.3)).verdict is Verdict.PASS


def test_the_detectable_drop_is_what_80_percent_of_such_comparisons_would_see() -> None:
    noisy = CaseCounts.of(n=5, c=[4, 1] * 82)

    detectable = one_shot_gate(noisy, noisy).evidence.detectable_drop

    assert detectable == pytest.approx(
        (1.6449 + 0.8416) * np.sqrt(164 * 8 / 45 * 2 / 5 + 0.2) / 164, rel=1e-3
    )


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("gate", [one_shot_gate, confirm_plan])
def test_nothing_is_decided_when_too_much_is_missing(gate: type) -> None:
    decision = _decision_of(gate(STEADY, ONE_BROKEN, error_share=0.06))

    assert decision.verdict is Verdict.INCONCLUSIVE
    assert decision.grounds == (Ground.TOO_MANY_ERRORS,)
    assert decision.evidence.p_overall is None


@pytest.mark.parametrize("gate", [one_shot_gate, confirm_plan])
def test_nothing_is_decided_without_shared_cases(gate: type) -> None:
    empty = CaseCounts.of(n=[], c=[])

    assert _decision_of(gate(empty, empty)).grounds == (Ground.NO_SHARED_CASES,)


def _decision_of(result: object) -> GateDecision:
    decision = getattr(result, "unless_confirmed", result)
    assert isinstance(decision, GateDecision)
    return decision


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


# --- two stages -------------------------------------------------------------------------------------


def test_the_plan_asks_for_the_cases_that_dropped_most() -> None:
    baseline = CaseCounts.of(n=10, c=[10, 10, 10, 5, 0])
    current = CaseCounts.of(n=10, c=[10, 8, 9, 3, 1])

    plan = confirm_plan(baseline, current)

    assert plan.cases == (1, 3, 2)  # 1 before 3: the same drop, but less likely by chance
    assert plan.samples == 10


def test_the_plan_asks_for_no_more_cases_than_the_rule_allows() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 20 + [0] * 20), CaseCounts.of(n=1, c=[0] * 20 + [1] * 20)

    plan = confirm_plan(baseline, current, rule=GateRule(confirm_cases=3, confirm_samples=7))

    assert plan.cases == (0, 1, 2)
    assert plan.samples == 7


def test_a_clear_drop_fails_at_the_first_stage() -> None:
    plan = confirm_plan(CaseCounts.of(n=5, c=[4] * 164), CaseCounts.of(n=5, c=[3] * 164))

    assert plan.cases == ()
    assert plan.unless_confirmed.verdict is Verdict.FAIL
    empty = CaseCounts.of(n=[], c=[])
    assert confirm_decision(plan, empty, empty) == plan.unless_confirmed


def test_one_broken_case_is_seen_even_from_single_samples() -> None:
    plan = confirm_plan(CaseCounts.of(n=1, c=[1] * 164), CaseCounts.of(n=1, c=[1] * 9 + [0] + [1] * 154))

    decision = confirm_decision(plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[1]))

    assert plan.unless_confirmed.verdict is Verdict.PASS
    assert decision.verdict is Verdict.FAIL
    assert decision.evidence.broken_cases == (9,)
    assert decision.evidence.cases == 164


def test_fresh_samples_that_do_not_confirm_leave_the_first_verdict() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1, 1, 0, 1] * 10), CaseCounts.of(n=1, c=[1, 0, 1, 1] * 10)
    plan = confirm_plan(baseline, current)
    fresh = CaseCounts.of(n=10, c=[7] * len(plan.cases))

    decision = confirm_decision(plan, fresh, fresh)

    assert decision == plan.unless_confirmed
    assert decision.verdict is Verdict.INCONCLUSIVE


def test_a_moderate_drop_of_all_planned_cases_is_confirmed_together() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 5 + [0] * 5), CaseCounts.of(n=1, c=[0] * 5 + [1] * 5)
    plan = confirm_plan(baseline, current)

    decision = confirm_decision(plan, CaseCounts.of(n=10, c=[9] * 5), CaseCounts.of(n=10, c=[5] * 5))

    assert decision.grounds == (Ground.OVERALL_DROP,)
    assert decision.evidence.more_samples is None


def test_fresh_samples_with_too_many_errors_decide_nothing() -> None:
    plan = confirm_plan(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))

    decision = confirm_decision(
        plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[0]), error_share=0.5
    )

    assert decision.grounds == (Ground.TOO_MANY_ERRORS,)


def test_fresh_samples_of_other_cases_are_refused() -> None:
    plan = confirm_plan(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))
    two = CaseCounts.of(n=10, c=[10, 10])

    with pytest.raises(DomainError, match="the plan has 1 cases, the fresh samples have 2"):
        confirm_decision(plan, two, two)
