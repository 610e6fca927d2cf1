"""Two reports, judged by a policy."""

from dataclasses import replace

import pytest

from steelyard.analysis.gate import gate_reports
from steelyard.model.gate import GateReport
from steelyard.model.options import Errors
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.report import Report
from steelyard.model.verdict import GateDecision, GateRule, Ground, Verdict
from tests.analysis.runs import report_of, run

STEADY = run([(5, 5)] * 60 + [(5, 0)] * 10)
WORSE = run([(5, 2)] * 60 + [(5, 0)] * 10)
RULE = GateRule()


def required(metric: Metric, *suites: str, margin: float = 0.05) -> Requirement:
    return Requirement(metric=metric, suites=suites, margin=margin)


def judged(before: Report, after: Report, *requirements: Requirement, critical: str = "") -> GateReport:
    names = (critical,) if critical else ()
    return gate_reports(
        before, after, rule=RULE, policy=GatePolicy(requirements=requirements, critical=names)
    )


def of_cases(report: Report, **values: object) -> Report:
    return replace(report, cases=tuple(replace(case, **values) for case in report.cases))  # type: ignore[arg-type]


def expecting_refusals(report: Report) -> Report:
    return replace(report, expects_refusal=tuple((case.suite, case.case) for case in report.cases))


def with_costs(report: Report, *, times: float = 1.0, other_suite: int = 0) -> Report:
    """Give every case its cost and time; the first ones lie in another suite."""
    cases = [
        replace(
            case,
            cost_usd=times * 0.01 * (place + 1),
            mean_latency_s=times * (1 + place % 7),
            timed=case.n,
            priced=case.n,
            suite="other" if place < other_suite else case.suite,
        )
        for place, case in enumerate(report.cases)
    ]
    return replace(report, cases=tuple(cases))


def test_each_requirement_is_judged_for_each_subject_with_its_share_of_alpha() -> None:
    two = report_of({("m", "T0"): [(5, 5)] * 60, ("n", "T0"): [(5, 5)] * 60})

    found = judged(two, two, required(Metric.PASS), required(Metric.REFUSALS))

    pairs = [(one.pair.current_model, one.requirement and one.requirement.metric) for one in found.subjects]
    assert pairs == [("m", "pass"), ("m", "refusals"), ("n", "pass"), ("n", "refusals")]
    assert found.tests == 4
    assert found.verdict is Verdict.PASS


def test_a_share_of_alpha_is_smaller_with_more_requirements() -> None:
    before, after = run([(5, 5)] * 40), run([(5, 4)] * 5 + [(5, 5)] * 35)

    alone = judged(before, after, required(Metric.PASS))
    one_of_many = judged(before, after, *[required(Metric.PASS)] * 10)

    bounds = [found.subjects[0].decision.evidence.largest_plausible_drop for found in (alone, one_of_many)]
    assert bounds[0] is not None
    assert bounds[1] is not None
    assert bounds[0] < bounds[1]
    assert alone.verdict is Verdict.FAIL
    assert one_of_many.verdict is Verdict.INCONCLUSIVE


def test_a_drop_of_the_passes_fails_the_requirement_on_passes_alone() -> None:
    found = judged(with_costs(STEADY), with_costs(WORSE), required(Metric.PASS), required(Metric.COST))

    assert [one.decision.verdict for one in found.subjects] == [Verdict.FAIL, Verdict.PASS]
    assert found.verdict is Verdict.FAIL


@pytest.mark.parametrize("metric", [Metric.COST, Metric.LATENCY])
def test_more_money_or_time_fails_from_the_margin_on(metric: Metric) -> None:
    before, after = with_costs(STEADY), with_costs(STEADY, times=1.2)

    assert judged(before, after, required(metric, margin=0.1)).verdict is Verdict.FAIL
    assert judged(before, after, required(metric, margin=0.3)).verdict is Verdict.PASS


@pytest.mark.parametrize("metric", [Metric.COST, Metric.LATENCY])
def test_what_was_not_measured_is_open(metric: Metric) -> None:
    [one] = judged(with_costs(STEADY), STEADY, required(metric)).subjects

    assert one.decision.grounds == (Ground.NOT_MEASURED,)


@pytest.mark.parametrize("metric", [Metric.COST, Metric.LATENCY])
def test_means_of_many_and_of_few_samples_are_not_compared(metric: Metric) -> None:
    ten, one, four, five = (with_costs(run([(n, n)] * 60)) for n in (10, 1, 4, 5))

    [open_] = judged(ten, one, required(metric)).subjects
    [decided] = judged(five, four, required(metric, margin=0.5)).subjects

    assert open_.decision.grounds == (Ground.UNEQUAL_SAMPLES,)
    assert decided.decision.verdict is not Verdict.INCONCLUSIVE


def test_a_cost_that_some_samples_lack_is_open() -> None:
    before = with_costs(STEADY)
    after = replace(before, subjects=tuple(replace(one, unpriced_samples=1) for one in before.subjects))

    assert judged(before, after, required(Metric.COST)).subjects[0].decision.grounds == (Ground.NOT_MEASURED,)


def with_errors(report: Report, *, priced: int | None) -> Report:
    """Give every case one sample more that ended in an infrastructure error and was paid like the others."""
    cases = [
        replace(case, errored=1, cost_usd=(case.cost_usd or 0.0) / case.n * (case.n + 1), priced=priced)
        for case in report.cases
    ]
    return replace(report, cases=tuple(cases))


def test_the_cost_of_samples_that_errored_makes_the_others_no_dearer() -> None:
    steady = report_of({("m", "T0"): [(30, 30)] * 60})
    before = with_costs(steady)
    same = with_errors(before, priced=31)
    dearer = with_errors(with_costs(steady, times=1.3), priced=31)
    price = required(Metric.COST, margin=0.02)

    assert judged(before, same, price).verdict is not Verdict.FAIL
    assert judged(before, dearer, price).verdict is Verdict.FAIL
    found = judged(before, with_errors(before, priced=None), price).subjects[0]
    assert found.decision.grounds == (Ground.NOT_MEASURED,)


def test_more_refusals_fail_and_are_measured_against_all_samples() -> None:
    found = judged(STEADY, of_cases(STEADY, refused=2), required(Metric.REFUSALS))

    assert found.verdict is Verdict.FAIL
    assert found.subjects[0].decision.evidence.drop == pytest.approx(0.4)


def test_fewer_refusals_pass() -> None:
    assert judged(of_cases(STEADY, refused=2), STEADY, required(Metric.REFUSALS)).verdict is Verdict.PASS


def test_refusals_that_an_old_report_does_not_know_are_open() -> None:
    found = judged(of_cases(STEADY, refused=None), STEADY, required(Metric.REFUSALS))

    assert found.subjects[0].decision.grounds == (Ground.NOT_MEASURED,)


@pytest.mark.parametrize("side", ["baseline", "current"])
def test_an_error_that_counts_as_a_failure_is_neither_an_answer_nor_a_refusal(side: str) -> None:
    apart = of_cases(STEADY, errored=2)
    failed = replace(
        of_cases(STEADY, n=7, score_n=7, errored=2), settings=replace(STEADY.settings, errors=Errors.FAIL)
    )
    strict = replace(STEADY, settings=failed.settings)

    def decided(good: Report, broken: Report) -> GateDecision:
        runs = (broken, good) if side == "baseline" else (good, broken)
        return judged(*runs, required(Metric.REFUSALS)).subjects[0].decision

    found = decided(strict, failed)

    assert found == decided(STEADY, apart)
    assert found.grounds == (Ground.TOO_MANY_ERRORS,)


def test_a_requirement_holds_in_its_suites_alone() -> None:
    before, after = with_costs(STEADY, other_suite=60), with_costs(WORSE, other_suite=60)

    found = judged(before, after, required(Metric.PASS, "s"), required(Metric.PASS, "other"))

    assert [one.decision.evidence.cases for one in found.subjects] == [10, 60]
    assert [one.decision.verdict for one in found.subjects] == [Verdict.INCONCLUSIVE, Verdict.FAIL]


def test_a_suite_that_neither_report_has_is_open() -> None:
    [one] = judged(STEADY, STEADY, required(Metric.PASS, "typo")).subjects

    assert one.decision.grounds == (Ground.NO_SHARED_CASES,)


def test_a_missing_case_keeps_the_requirements_of_its_suite_from_passing() -> None:
    before = with_costs(STEADY, other_suite=5)
    after = replace(before, cases=before.cases[1:])

    found = judged(before, after, required(Metric.COST, "other"), required(Metric.COST, "s"))

    assert [one.decision.grounds[0] for one in found.subjects][1] is Ground.WITHIN_MARGIN
    assert found.subjects[0].decision.verdict is Verdict.INCONCLUSIVE


def test_one_failed_sample_of_a_critical_case_fails() -> None:
    after = run([(5, 4)] + [(5, 5)] * 59 + [(5, 0)] * 10)

    for name in ("case-000", "s/case-000"):
        found = judged(STEADY, after, critical=name)

        assert found.verdict is Verdict.FAIL
        assert [(one.failed, one.samples) for one in found.critical_cases] == [(1, 5)]
        assert found.subjects[0].requirement is None


def test_a_critical_case_without_a_failed_sample_passes() -> None:
    assert judged(STEADY, STEADY, critical="case-000").verdict is Verdict.PASS


def test_a_critical_case_with_an_error_of_ours_is_open_and_not_for_want_of_samples() -> None:
    found = judged(STEADY, run([(5, 5)] * 60 + [(5, 0)] * 10, errors=1), critical="case-000")

    assert found.verdict is Verdict.INCONCLUSIVE
    assert not found.lacks_only_samples


def test_a_critical_case_that_is_not_there_is_open() -> None:
    found = judged(STEADY, STEADY, critical="nowhere")

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.unknown_critical == ("nowhere",)
    assert not found.lacks_only_samples


def test_a_refusal_that_is_right_is_no_rise_of_refusals() -> None:
    right, others = expecting_refusals(run([(5, 0)] * 60)), of_cases(run([(5, 5)] * 60), suite="other")
    before = replace(right, cases=(*right.cases, *others.cases))
    after = replace(right, cases=(*of_cases(right, refused=5).cases, *others.cases))

    [one] = judged(before, after, required(Metric.REFUSALS)).subjects

    assert one.decision.verdict is Verdict.PASS
    assert one.decision.evidence.cases == 60


def test_where_refusing_is_always_right_nothing_is_judged() -> None:
    right = expecting_refusals(of_cases(run([(5, 0)] * 60), refused=5))

    [one] = judged(right, right, required(Metric.REFUSALS)).subjects

    assert one.decision.grounds == (Ground.NO_SHARED_CASES,)
