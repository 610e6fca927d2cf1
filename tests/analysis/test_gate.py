"""A gate over two reports."""

from dataclasses import replace

import pytest

from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.staged_gate import add_round, confirm_reports
from steelyard.errors import UserError
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Ground, Verdict
from tests.analysis.runs import report_of, run

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10
BROKEN = [(5, 0), *STEADY[1:]]
WORSE = [(5, 2)] * 60 + [(5, 0)] * 10


def test_two_equal_runs_pass() -> None:
    found = gate_reports(run(STEADY), run(STEADY))

    assert found.verdict is Verdict.PASS
    assert found.threshold_regressions == 0


def test_one_broken_case_fails_and_is_named() -> None:
    found = gate_reports(run(STEADY), run(BROKEN))

    assert found.verdict is Verdict.FAIL
    assert [case.case for case in found.subjects[0].broken_cases] == ["case-000"]
    assert found.threshold_regressions == 1


def test_a_gate_that_saw_nothing_says_what_it_would_have_seen() -> None:
    noisy = run([(5, 4), (5, 1)] * 30)

    [subject] = gate_reports(noisy, noisy, rule=GateRule(margin=0.08)).subjects
    seen = subject.decision.evidence.detection

    assert seen is not None
    assert seen.drop == 0.08
    assert 0.2 < seen.spread < 0.9
    assert seen.one_case < 0.9


def test_a_gate_that_saw_a_drop_does_not_say_what_it_would_have_seen() -> None:
    [subject] = gate_reports(run([(5, 5)] * 60), run([(5, 0)] + [(5, 5)] * 59)).subjects

    assert subject.decision.evidence.detection is None


def test_a_gate_and_a_comparison_state_the_same_chances() -> None:
    before, after = run([(5, 4), (5, 1)] * 15), run([(5, 4), (5, 1)] * 15)

    [judged] = gate_reports(before, after).subjects
    [compared] = compare_reports(before, after).subjects

    assert judged.decision.evidence.detection == compared.decision.evidence.detection is not None


def test_cases_that_ended_in_errors_altogether_hide_nothing() -> None:
    steady = run([(5, 5)] * 100)
    broken = steady.cases[:60] + tuple(
        replace(case, n=0, c=0, score_n=0, errored=5) for case in steady.cases[60:]
    )

    found = gate_reports(steady, replace(steady, cases=broken), rule=GateRule(allow_missing=True))

    assert found.verdict is Verdict.INCONCLUSIVE
    [subject] = found.subjects
    assert subject.decision.grounds == (Ground.TOO_MANY_ERRORS,)
    assert subject.decision.evidence.error_share == 0.4


def test_a_case_that_ended_in_errors_altogether_counts_at_its_worst() -> None:
    steady = run([(5, 5)] * 100)
    broken = (*steady.cases[1:], replace(steady.cases[0], n=0, c=0, score_n=0, errored=5))

    found = gate_reports(steady, replace(steady, cases=broken), rule=GateRule(allow_missing=True))

    [subject] = found.subjects
    evidence = subject.decision.evidence
    assert evidence.missing_samples == 5
    assert evidence.largest_plausible_drop is not None
    assert evidence.largest_plausible_drop > 0.01


def test_samples_of_the_first_stage_are_known_by_how_long_they_took() -> None:
    before, after = run([(10, 10)] * 60), run([(10, 7)] + [(10, 10)] * 59)
    timed = [
        replace(one, cases=tuple(replace(case, mean_latency_s=1.25) for case in one.cases))
        for one in (before, after)
    ]
    extracts = [replace(one, cases=one.cases[:1]) for one in timed]

    with pytest.raises(UserError, match="generated again"):
        confirm_reports(*timed, fresh_baseline=extracts[0], fresh_current=extracts[1])


def test_old_samples_of_one_run_beside_fresh_ones_of_the_other_are_refused() -> None:
    before, after = run([(10, 10)] * 60, night=1), run([(10, 7)] + [(10, 10)] * 59, night=1)
    old = [replace(one, cases=one.cases[:1]) for one in (before, after)]

    for fresh in ((old[0], run([(10, 8)], night=2)), (run([(10, 9)], night=2), old[1])):
        with pytest.raises(UserError, match="generated again"):
            confirm_reports(before, after, fresh_baseline=fresh[0], fresh_current=fresh[1])


def test_fresh_samples_of_another_form_of_a_case_do_not_clear_it() -> None:
    found = confirm_reports(
        run([(1, 1)] * 50),
        run([(1, 0)] + [(1, 1)] * 49),
        fresh_baseline=_changed(run([(10, 10)])),
        fresh_current=_changed(run([(10, 10)])),
        rule=GateRule(margin=0.5),
    )

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.TO_BE_CONFIRMED,)


def _changed(report: Report) -> Report:
    return replace(report, cases=tuple(replace(case, digest="another") for case in report.cases))


def test_a_drop_everywhere_fails() -> None:
    found = gate_reports(run(STEADY), run(WORSE))

    assert Ground.OVERALL_DROP in found.subjects[0].decision.grounds


def test_too_little_data_is_inconclusive_and_says_how_much_more() -> None:
    found = gate_reports(run([(1, 1)] * 5), run([(1, 1)] * 4 + [(1, 0)]))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert (found.subjects[0].decision.evidence.more_samples or 0) > 0


def test_a_gate_refuses_to_decide_above_a_share_of_our_own_errors() -> None:
    found = gate_reports(run(STEADY), run(BROKEN, errors=200))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.TOO_MANY_ERRORS,)


def test_the_worst_subject_decides_and_alpha_is_shared() -> None:
    before = report_of({("a", "T0"): STEADY, ("b", "T0"): STEADY})
    after = report_of({("a", "T0"): STEADY, ("b", "T0"): BROKEN})

    found = gate_reports(before, after)

    assert found.verdict is Verdict.FAIL
    assert [subject.decision.verdict for subject in found.subjects] == [Verdict.PASS, Verdict.FAIL]


def test_anytime_evidence_adds_up_over_rounds() -> None:
    before, after = run([(1, 1)] * 10), run([(1, 0)] * 10)

    first, begun = add_round(before, after)
    second, _ = add_round(*(run([(1, c)] * 10, night=9) for c in (1, 0)), sequence=begun)

    assert [first.verdict, second.verdict] == [Verdict.INCONCLUSIVE, Verdict.FAIL]


def test_a_pair_that_our_own_error_ended_counts_against_an_anytime_pass() -> None:
    before, after = run([(1, 1)] * 100), run([(1, 1)] * 100)
    errored = tuple(
        replace(case, n=0, c=0, errored=1, score_n=0, score_sum_micro=0, score_sq_micro=0, mean_score=None)
        for case in after.cases[:3]
    )
    lacking, rule = replace(after, cases=(*errored, *after.cases[3:])), GateRule(allow_missing=True)

    found, kept = add_round(before, lacking, rule=rule)

    assert add_round(before, after, rule=rule)[0].verdict is Verdict.PASS
    assert found.verdict is Verdict.INCONCLUSIVE
    assert kept.subjects[0].seen.lost == 3


def test_a_round_without_the_cases_that_fail_is_refused() -> None:
    before, after = run([(1, 1)] * 100, night=1), run([(1, 0)] * 10 + [(1, 1)] * 90, night=1)
    _, begun = add_round(before, after)
    whole = [run([(1, 1)] * 100, night=night) for night in (2, 3)]
    fewer = [replace(one, cases=one.cases[10:]) for one in whole]

    with pytest.raises(UserError, match="round"):
        add_round(*fewer, sequence=begun)
    add_round(*whole, sequence=begun)


def test_nothing_passes_while_a_model_that_stays_away_is_open() -> None:
    def both(night: int) -> Report:
        return report_of({("a", "T0"): [(1, 1)] * 100, ("b", "T0"): [(1, 0)] * 100}, night=night)

    _, begun = add_round(both(1), both(2), rule=GateRule(alpha=0.001))
    alone = [report_of({("a", "T0"): [(1, 1)] * 100}, night=night) for night in (3, 4)]

    found, _ = add_round(*alone, sequence=begun, rule=GateRule(alpha=0.001))

    verdicts = {one.pair.current_model: one.decision.verdict for one in found.subjects}
    assert verdicts == {"a": Verdict.PASS, "b": Verdict.INCONCLUSIVE}
    assert found.verdict is Verdict.INCONCLUSIVE


def test_anytime_evidence_comes_from_single_samples_only() -> None:
    with pytest.raises(UserError, match="exactly one sample"):
        add_round(run(STEADY), run(STEADY))


def test_a_stricter_alpha_turns_a_fail_into_less() -> None:
    before, after = run([(5, 5)] * 20), run([(5, 1)] + [(5, 5)] * 19)

    assert gate_reports(before, after).verdict is Verdict.FAIL
    assert gate_reports(before, after, rule=GateRule(alpha=0.0001)).verdict is not Verdict.FAIL


def test_a_run_that_lost_cases_does_not_pass_unless_told_to() -> None:
    before, after = run(STEADY), run(STEADY[:50])

    found = gate_reports(before, after)

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.MISSING_CASES,)
    assert len(found.missing_cases) == len(STEADY) - 50
    assert gate_reports(before, after, rule=GateRule(allow_missing=True)).verdict is Verdict.PASS


def test_a_model_that_is_gone_is_not_blamed_on_another() -> None:
    before = report_of({("m", "T0"): STEADY, ("n", "T0"): STEADY})

    found = gate_reports(before, run(STEADY))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.verdict is Verdict.PASS
    assert {case.model for case in found.missing_cases} == {"n"}
    assert not found.lacks_only_samples


def test_missing_samples_are_taken_at_their_worst() -> None:
    found = gate_reports(run(STEADY), run(STEADY, errors=15), rule=GateRule(margin=0.02))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.evidence.missing_samples == 15
    assert gate_reports(run(STEADY), run(STEADY), rule=GateRule(margin=0.02)).verdict is Verdict.PASS


def test_a_run_that_lost_cases_still_fails_for_what_broke() -> None:
    assert gate_reports(run(STEADY), run(BROKEN[:50])).verdict is Verdict.FAIL
