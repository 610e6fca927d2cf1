"""The two stages of a gate that confirms."""

import pytest

from steelyard.errors import DomainError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.confirmation import confirm_decision, confirm_plan, unconfirmed
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.verdict import ConfirmPlan, GateRule, Ground, Verdict

DEFAULT = GateRule()


def plan_of(
    baseline: CaseCounts, current: CaseCounts, *, rule: GateRule = DEFAULT, error_share: float = 0
) -> ConfirmPlan:
    return confirm_plan(PairedRuns(baseline=baseline, current=current, error_share=error_share), rule=rule)


def test_the_plan_asks_for_the_cases_that_dropped_most() -> None:
    baseline = CaseCounts.of(n=10, c=[10, 10, 10, 5, 0])
    current = CaseCounts.of(n=10, c=[10, 8, 9, 3, 1])

    plan = plan_of(baseline, current)

    assert plan.cases == (1, 3, 2)  # 1 before 3: the same drop, but less likely by chance
    assert plan.samples == 10


def test_the_plan_asks_for_no_more_cases_than_the_rule_allows() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 20 + [0] * 20), CaseCounts.of(n=1, c=[0] * 20 + [1] * 20)

    plan = plan_of(baseline, current, rule=GateRule(confirm_cases=3, confirm_samples=7))

    assert plan.cases == (0, 1, 2)
    assert plan.samples == 7


def test_a_clear_drop_fails_at_the_first_stage() -> None:
    plan = plan_of(CaseCounts.of(n=5, c=[4] * 164), CaseCounts.of(n=5, c=[3] * 164))

    assert plan.cases == ()
    assert plan.unless_confirmed.verdict is Verdict.FAIL
    empty = CaseCounts.of(n=[], c=[])
    assert confirm_decision(plan, empty, empty) == plan.unless_confirmed


def test_one_broken_case_is_seen_even_from_single_samples() -> None:
    plan = plan_of(CaseCounts.of(n=1, c=[1] * 164), CaseCounts.of(n=1, c=[1] * 9 + [0] + [1] * 154))

    decision = confirm_decision(plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[1]))

    assert plan.unless_confirmed.verdict is Verdict.PASS
    assert decision.verdict is Verdict.FAIL
    assert decision.evidence.broken_cases == (9,)
    assert decision.evidence.cases == 164


def test_fresh_samples_that_do_not_confirm_leave_the_first_verdict() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1, 1, 0, 1] * 10), CaseCounts.of(n=1, c=[1, 0, 1, 1] * 10)
    plan = plan_of(baseline, current)
    fresh = CaseCounts.of(n=10, c=[7] * len(plan.cases))

    decision = confirm_decision(plan, fresh, fresh)

    assert decision == plan.unless_confirmed
    assert decision.verdict is Verdict.INCONCLUSIVE


def test_a_moderate_drop_of_all_planned_cases_is_confirmed_together() -> None:
    baseline, current = CaseCounts.of(n=1, c=[1] * 5 + [0] * 5), CaseCounts.of(n=1, c=[0] * 5 + [1] * 5)
    plan = plan_of(baseline, current)

    decision = confirm_decision(plan, CaseCounts.of(n=10, c=[9] * 5), CaseCounts.of(n=10, c=[5] * 5))

    assert decision.grounds == (Ground.OVERALL_DROP,)
    assert decision.evidence.more_samples is None


def test_each_test_of_the_fresh_samples_has_a_quarter_of_alpha() -> None:
    plan = plan_of(CaseCounts.of(n=1, c=[1] * 164), CaseCounts.of(n=1, c=[0] + [1] * 163))
    all_passed, half_passed = CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[5])  # p = 0.0163

    strict = confirm_decision(plan, all_passed, half_passed, rule=GateRule(alpha=0.05))
    loose = confirm_decision(plan, all_passed, half_passed, rule=GateRule(alpha=0.0652))

    assert strict.verdict is not Verdict.FAIL
    assert loose.grounds == (Ground.OVERALL_DROP, Ground.BROKEN_CASES)


def test_fresh_samples_with_too_many_errors_decide_nothing() -> None:
    plan = plan_of(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))

    decision = confirm_decision(
        plan, CaseCounts.of(n=10, c=[10]), CaseCounts.of(n=10, c=[0]), error_share=0.5
    )

    assert decision.grounds == (Ground.TOO_MANY_ERRORS,)


def test_fresh_samples_of_other_cases_are_refused() -> None:
    plan = plan_of(CaseCounts.of(n=1, c=[1] * 50), CaseCounts.of(n=1, c=[0] + [1] * 49))
    two = CaseCounts.of(n=10, c=[10, 10])

    with pytest.raises(DomainError, match=r"1.*fresh.*2"):
        confirm_decision(plan, two, two)


def test_a_case_with_fewer_fresh_samples_than_planned_is_not_cleared() -> None:
    plan = plan_of(CaseCounts.of(n=1, c=[1] * 164), CaseCounts.of(n=1, c=[0] + [1] * 163))
    three, ten = CaseCounts.of(n=3, c=[3]), CaseCounts.of(n=10, c=[10])

    short = confirm_decision(plan, three, ten)

    assert plan.unless_confirmed.verdict is Verdict.PASS
    assert (short.verdict, short.grounds) == (Verdict.INCONCLUSIVE, (Ground.TO_BE_CONFIRMED,))
    assert confirm_decision(plan, ten, ten).verdict is Verdict.PASS


def test_a_case_that_stands_out_is_cleared_by_fresh_samples() -> None:
    before, after = [5] + [2] * 10 + [5] * 190, [0] + [3] * 10 + [5] * 190
    plan = plan_of(CaseCounts.of(n=5, c=before), CaseCounts.of(n=5, c=after))
    fresh = CaseCounts.of(n=10, c=[10])

    assert plan.cases == (0,)
    assert confirm_decision(plan, fresh, fresh).verdict is Verdict.PASS


def test_nothing_is_planned_when_too_much_is_missing() -> None:
    one = CaseCounts.of(n=5, c=[5] * 164)

    plan = plan_of(one, one, error_share=0.06)

    assert (plan.cases, plan.unless_confirmed.grounds) == ((), (Ground.TOO_MANY_ERRORS,))


def test_nothing_but_a_fail_is_decided_while_cases_are_to_be_confirmed() -> None:
    five, worse = CaseCounts.of(n=5, c=[5] * 60), CaseCounts.of(n=5, c=[0] * 60)
    failed = confirm_plan(PairedRuns(baseline=five, current=worse)).unless_confirmed
    one, fewer = CaseCounts.of(n=1, c=[1] * 60), CaseCounts.of(n=1, c=[0] * 4 + [1] * 56)
    open_ = confirm_plan(PairedRuns(baseline=one, current=fewer)).unless_confirmed

    assert failed.verdict is Verdict.FAIL
    assert unconfirmed(failed) is failed
    assert open_.grounds == (Ground.TOO_FEW_SAMPLES,)
    assert unconfirmed(open_).grounds == (Ground.TO_BE_CONFIRMED,)
