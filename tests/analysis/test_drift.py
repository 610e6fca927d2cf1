"""A report judged against older baselines as well."""

from dataclasses import replace

import pytest

from steelyard.analysis.drift import decide_with_older, older_baselines
from steelyard.analysis.gate import gate_reports
from steelyard.errors import UserError
from steelyard.model.baseline import Baseline
from steelyard.model.gate import GateReport
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Verdict
from tests.analysis.runs import report_of, run

RULE = GateRule()
# Each step loses half a point of a hundred; three steps lose what one gate sees.
STEPS = [run([(10, 10)] * (80 - 10 * step) + [(10, 9)] * (10 * step)) for step in range(4)]


def kept(name: str, report: Report, *, day: int) -> Baseline:
    return Baseline(name=name, kept_at=f"2026-11-{day:02d}T00:00:00Z", source="here", report=report)


def judged(before: Report, after: Report, *older: Baseline, policy: GatePolicy | None = None) -> GateReport:
    wanted = policy or GatePolicy(history=len(older))
    return decide_with_older(before, after, older, wanted, rule=RULE)


@pytest.mark.check_all
def test_small_drops_that_add_up_fail_against_the_oldest_alone() -> None:
    *_, last, now = STEPS

    alone = gate_reports(last, now)
    found = judged(last, now, kept("w2", STEPS[1], day=2), kept("w1", STEPS[0], day=1))

    assert alone.verdict is not Verdict.FAIL
    assert {one.since: one.decision.verdict for one in found.subjects}["w1"] is Verdict.FAIL
    assert found.subjects[0].decision.verdict is not Verdict.FAIL
    assert found.verdict is Verdict.FAIL
    assert found.older_baselines == ("w2", "w1")


def test_all_comparisons_share_alpha() -> None:
    two = report_of({("m", "T0"): [(5, 5)] * 60, ("n", "T0"): [(5, 5)] * 60})
    other = report_of({("m", "T0"): [(5, 5)] * 59 + [(5, 4)], ("n", "T0"): [(5, 5)] * 60})
    policy = GatePolicy(
        requirements=(Requirement(metric=Metric.PASS), Requirement(metric=Metric.SCORE)), history=1
    )

    found = judged(two, two, kept("w1", other, day=1), policy=policy)

    assert found.tests == len(found.subjects) == 8
    shares = {one.decision.evidence.largest_plausible_drop for one in found.subjects if one.since is None}
    [alone] = {
        one.decision.evidence.largest_plausible_drop
        for one in gate_reports(two, two, rule=GateRule(alpha=0.05 / 4)).subjects
    }
    assert shares == {alone}


def test_it_passes_only_if_it_passes_against_each() -> None:
    good = run([(5, 5)] * 100)
    few = run([(1, 1)] * 20)

    assert judged(good, good, kept("w1", run([(5, 5)] * 99 + [(5, 4)]), day=1)).verdict is Verdict.PASS
    assert judged(good, good, kept("w1", few, day=1)).verdict is Verdict.INCONCLUSIVE


@pytest.mark.check_all
def test_a_case_that_only_an_older_baseline_has_holds_nothing_back() -> None:
    good, more = run([(5, 5)] * 100), run([(5, 5)] * 101)

    assert judged(good, good, kept("w1", more, day=1)).verdict is Verdict.PASS
    assert judged(more, good, kept("w1", good, day=1)).verdict is Verdict.INCONCLUSIVE


def test_an_older_baseline_without_a_common_case_decides_nothing() -> None:
    good = run([(5, 5)] * 100)
    other = replace(good, cases=tuple(replace(case, suite="other") for case in good.cases))

    found = judged(good, good, kept("w1", other, day=1))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert not found.lacks_only_samples


@pytest.mark.check_all
def test_a_critical_case_is_looked_at_once() -> None:
    good = run([(5, 5)] * 100)
    policy = GatePolicy(critical=("case-000",), history=1)

    found = judged(good, good, kept("w1", run([(5, 5)] * 99 + [(5, 4)]), day=1), policy=policy)

    assert len(found.critical_cases) == 1
    assert found.verdict is Verdict.PASS


def test_the_last_baselines_are_chosen_by_time_and_the_same_samples_count_once() -> None:
    all_kept = [kept(f"w{step}", report, day=step + 1) for step, report in enumerate(STEPS)]
    again = kept("again", STEPS[1], day=3)

    chosen = older_baselines([*all_kept, again], STEPS[2], STEPS[3], most=5)

    assert [one.name for one in chosen] == ["again", "w0"]
    assert older_baselines([*all_kept, again], STEPS[2], STEPS[3], most=1) == [again]


def test_a_baseline_that_was_kept_after_the_baseline_itself_is_not_older() -> None:
    w0, w1, w2 = (kept(f"w{step}", report, day=step + 1) for step, report in enumerate(STEPS[:3]))

    assert older_baselines([w0, w1, w2], STEPS[1], STEPS[3], most=5) == [w0]
    # It is not known when a baseline that is not kept was made.
    assert older_baselines([w0, w2], STEPS[1], STEPS[3], most=5) == [w2, w0]


def test_baselines_of_another_job_with_the_same_model_are_passed_over() -> None:
    before = run([(5, 5)] * 9)
    suite = replace(before, cases=tuple(replace(case, suite="other") for case in before.cases))
    edited = replace(before, cases=tuple(replace(case, digest="other") for case in before.cases))
    of_others = [kept("suite", suite, day=1), kept("edited", edited, day=2)]

    assert older_baselines(of_others, run([(5, 5)] * 7), run([(5, 5)] * 8), most=9) == []


def test_baselines_of_other_models_are_passed_over() -> None:
    other = kept("other", run([(5, 5)] * 9, model="n"), day=1)
    renamed = kept("before", run([(5, 5)] * 8, model="old"), day=2)

    chosen = older_baselines([other, renamed], run([(5, 5)] * 7, model="old"), run([(5, 5)] * 7), most=9)

    assert chosen == [renamed]


def test_an_older_baseline_that_was_scored_otherwise_is_refused_by_name() -> None:
    other = STEPS[0]
    scoring = replace(other.settings.scoring, version=other.settings.scoring.version + 1)
    other = replace(other, settings=replace(other.settings, scoring=scoring))

    with pytest.raises(UserError, match="baseline"):
        judged(STEPS[1], STEPS[2], kept("w1", other, day=1))


def test_an_older_baseline_with_a_stop_rule_is_refused_by_name() -> None:
    stopped = replace(STEPS[0], settings=replace(STEPS[0].settings, stop_rule="first-pass"))

    with pytest.raises(UserError, match="baseline"):
        judged(STEPS[1], STEPS[2], kept("w1", stopped, day=1))


def test_a_requirement_about_a_suite_that_came_later_is_not_judged_against_older_baselines() -> None:
    good = run([(5, 5)] * 100)
    later = replace(good, cases=(*good.cases, *(replace(case, suite="new") for case in good.cases)))
    required = tuple(
        Requirement(metric=Metric.PASS, suites=(suite,)) for suite in ("new", good.cases[0].suite)
    )

    found = decide_with_older(
        later, later, [kept("w1", good, day=1)], GatePolicy(requirements=required, history=1), rule=GateRule()
    )

    assert found.verdict is Verdict.PASS
    assert [(one.since, one.requirement.suites) for one in found.subjects if one.requirement] == [
        (None, ("new",)),
        (None, (good.cases[0].suite,)),
        ("w1", (good.cases[0].suite,)),
    ]
