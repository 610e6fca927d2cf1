"""Planning samples from a past run or a profile."""

from dataclasses import replace

import pytest

from steelyard.analysis.plan import allocate_samples, plan_samples, plan_samples_by_profile
from steelyard.errors import DomainError, InputError, UnknownName, UserError
from steelyard.metrics import detection
from steelyard.metrics.detection import assumed_rates, planned_chances
from steelyard.model.plan import Demand
from tests.analysis.runs import report_of, run


@pytest.fixture
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a tenth of the pairs of runs: what is planned is the same, and its chances are rougher."""
    monkeypatch.setattr(detection, "PAIRS", 20)


@pytest.mark.check_all
@pytest.mark.usefixtures("few_pairs")
def test_a_noisier_past_run_asks_for_more_samples() -> None:
    calm = plan_samples(run([(10, 10)] * 20 + [(10, 0)] * 20))[0]
    noisy = plan_samples(run([(10, 5)] * 40))[0]

    assert noisy.samples > calm.samples
    assert noisy.cases == calm.cases == 40


@pytest.mark.usefixtures("few_pairs")
def test_a_smaller_drop_asks_for_more_samples_and_more_samples_see_more() -> None:
    large = plan_samples_by_profile("u-shaped", cases=164)
    small = plan_samples_by_profile("u-shaped", cases=164, demand=Demand(drop=0.02))

    assert small.samples > large.samples == 5
    seen = [chances.spread for chances in large.chances.values()]
    assert seen == sorted(seen)
    assert large.chances[large.samples].spread >= large.demand.power


def test_a_past_run_with_single_samples_cannot_show_its_noise() -> None:
    with pytest.raises(InputError, match="`profile="):
        plan_samples(run([(1, 1)] * 5))


def test_a_past_run_without_evidence_is_refused() -> None:
    with pytest.raises(InputError, match="evidence"):
        plan_samples(run([(0, 0)], errors=1))


def test_an_unknown_profile_and_no_cases_are_refused() -> None:
    with pytest.raises(UnknownName, match="u-shaped"):
        plan_samples_by_profile("flat", cases=10)
    with pytest.raises(UserError, match="`cases`"):
        plan_samples_by_profile("reliable", cases=0)


def test_a_budget_goes_to_the_cases_whose_outcome_is_open() -> None:
    shares = allocate_samples(run([(10, 10), (10, 5)]), budget=20)

    assert sum(shares.values()) == 20
    assert shares["s", "case-001"] > shares["s", "case-000"] >= 1


def test_a_budget_is_shared_by_one_subject_at_a_time() -> None:
    two = report_of({("a", "T0"): [(10, 5)], ("b", "T0"): [(10, 5)]})

    assert allocate_samples(two, budget=4, model="a") == {("s", "case-000"): 4}
    with pytest.raises(UserError, match="`model`"):
        allocate_samples(two, budget=4)


def test_a_drop_that_cannot_happen_is_refused() -> None:
    with pytest.raises(UserError, match=r"0 %.*5.*points"):
        plan_samples(report_of({("m", "T0"): [(3, 0)] * 4}))


def test_a_subject_is_named_with_its_tier() -> None:
    report = report_of({("m", "T0"): [(4, 2)] * 3, ("m", "T1"): [(4, 4)] * 3})

    assert sum(allocate_samples(report, budget=9, model="m@T1").values()) == 9


def test_a_run_that_a_stop_rule_ended_plans_nothing() -> None:
    report = run([(10, 5)] * 20)
    stopped = replace(report, settings=replace(report.settings, stop_rule="maximum=10,passes=1"))

    with pytest.raises(UserError, match="sampling"):
        plan_samples(stopped)
    with pytest.raises(UserError, match="sampling"):
        allocate_samples(stopped, budget=100)


@pytest.mark.usefixtures("few_pairs")
def test_a_plan_begins_at_the_formula_and_goes_on_until_the_gate_sees_the_drop() -> None:
    demand = Demand(drop=0.3)
    plan = plan_samples_by_profile("u-shaped", cases=6, demand=demand)

    def chance(samples: int) -> float:
        rates = assumed_rates("u-shaped", cases=6)
        return planned_chances(rates, cases=6, samples=samples, drop=0.3, alpha=0.05).spread

    # (1.95996 + 0.84162)² 2 (2/21) / (6 * 0.3²) = 2.77, at half of alpha.
    seen = [chance(samples) for samples in range(3, plan.samples + 1)]
    assert plan.chance == seen[-1]
    assert [one >= 0.8 for one in seen] == [False] * (len(seen) - 1) + [True]
    assert list(plan.chances) == [1, 2, 3, 5, 10]


@pytest.mark.check_all
def test_where_a_simulation_would_take_minutes_the_formula_is_there_with_the_noise_of_both_runs() -> None:
    plan = plan_samples_by_profile("u-shaped", cases=300, demand=Demand(drop=0.01))

    # (1.95996 + 0.84162)² (2/21 + 0.10225) / (300 * 0.01²) = 51.7; 0.10225 is the noise after the drop.
    assert plan.chance is None
    assert 51 <= plan.samples <= 53


@pytest.mark.usefixtures("few_pairs")
def test_a_formula_that_promises_too_much_is_corrected_by_what_was_simulated() -> None:
    plan = plan_samples_by_profile("reliable", cases=20, demand=Demand(drop=0.02))

    # The formula alone begins at 19, where the gate sees the drop in six of ten comparisons.
    assert plan.samples > 24
    assert plan.chance is not None
    assert plan.chance >= 0.8


@pytest.mark.check_all
@pytest.mark.usefixtures("few_pairs")
def test_several_models_and_scores_share_the_false_alarms_of_a_plan() -> None:
    alone = plan_samples(report_of({("a", "T0"): [(10, 8)] * 40}), Demand(drop=0.1))[0]
    both = plan_samples(
        report_of({("a", "T0"): [(10, 8)] * 40, ("b", "T0"): [(10, 8)] * 40}), Demand(drop=0.1)
    )[0]

    assert (alone.tests, both.tests) == (1, 2)
    assert both.samples >= alone.samples
    assert both.chances[5].spread < alone.chances[5].spread


@pytest.mark.usefixtures("few_pairs")
def test_scores_that_say_more_than_passes_take_half_of_the_false_alarms() -> None:
    report = report_of({("a", "T0"): [(10, 8)] * 40})
    halves = tuple(replace(case, score_n=10, score_sum_micro=4_000_000) for case in report.cases)

    assert plan_samples(replace(report, cases=halves))[0].tests == 2


@pytest.mark.usefixtures("few_pairs")
def test_right_refusals_count_as_they_do_in_the_gate() -> None:
    report = report_of({("m", "T0"): [(10, 0)] * 12})
    refused = replace(
        report,
        cases=tuple(replace(case, refused=10 - at % 2) for at, case in enumerate(report.cases)),
        expects_refusal=tuple((case.suite, case.case) for case in report.cases),
    )

    assert plan_samples(refused)[0].samples >= 1
    assert sum(allocate_samples(refused, budget=36).values()) == 36
    assert len(set(allocate_samples(refused, budget=36).values())) > 1


@pytest.mark.parametrize(
    ("demand", "words"),
    [({"alpha": 5.0}, "alpha"), ({"power": 1.0}, "the power lies"), ({"drop": 0.0}, "the drop lies")],
)
def test_levels_that_no_gate_has_are_refused(demand: dict[str, float], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Demand(**demand)


def test_a_profile_cannot_drop_by_more_than_it_passes() -> None:
    with pytest.raises(UserError, match=r"profile.*90.*points"):
        plan_samples_by_profile("u-shaped", cases=20, demand=Demand(drop=0.9))


@pytest.mark.usefixtures("few_pairs")
def test_a_chance_that_equals_the_power_is_enough() -> None:
    rates = assumed_rates("u-shaped", cases=6)
    at_five = planned_chances(rates, cases=6, samples=5, drop=0.3, alpha=0.05).spread

    plan = plan_samples_by_profile("u-shaped", cases=6, demand=Demand(drop=0.3, power=at_five))

    assert plan.samples <= 5


@pytest.mark.usefixtures("few_pairs")
def test_one_case_and_a_drop_of_all_that_passes_can_be_planned() -> None:
    assert plan_samples_by_profile("reliable", cases=1, demand=Demand(drop=0.9)).cases == 1
    [plan] = plan_samples(run([(20, 1)] * 2), Demand(drop=0.05))
    assert plan.subject == "m (T0)"
    with pytest.raises(UserError, match=r"5\.1.*points"):
        plan_samples(run([(20, 1)] * 2), Demand(drop=0.051))


def test_a_budget_is_shared_by_the_cases_of_the_tier_that_is_named() -> None:
    report = report_of(
        {("m", "T0"): [(4, 2)] * 3, ("m", "T1"): [(4, 4), (4, 2), (0, 0)], ("n", "T1"): [(4, 4)]}
    )

    shares = allocate_samples(report, budget=9, model="m", tier="T1")

    assert list(shares) == [("s", "case-000"), ("s", "case-001")]
    assert sum(shares.values()) == 9
    assert allocate_samples(report, budget=9, model="m@T1") == shares
    assert allocate_samples(report, budget=9, tier="T0") == {("s", f"case-{n:03d}"): 3 for n in range(3)}
    for model, tier in [("m", None), (None, "T1"), ("n", "T0"), ("m@T1", "T0")]:
        with pytest.raises(UserError, match=r"`model`.*m@T0"):
            allocate_samples(report, budget=9, model=model, tier=tier)
