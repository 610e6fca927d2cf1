"""A gate in two stages: suspicious cases are resampled, and their fresh samples decide."""

import pytest

from steelyard.analysis.gate import gate_reports
from steelyard.analysis.staged_gate import confirm_reports, plan_confirmation
from steelyard.errors import InputError, UserError
from steelyard.model.verdict import GateRule, Ground, Verdict
from tests.analysis.runs import run
from tests.analysis.test_gate import STEADY, WORSE


def test_the_first_stage_names_cases_to_draw_again() -> None:
    found = plan_confirmation(run([(1, 1)] * 50), run([(1, 0)] + [(1, 1)] * 49))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].resample is not None
    assert [case.case for case in found.subjects[0].resample.cases] == ["case-000"]
    assert found.subjects[0].resample.samples == 10


@pytest.mark.check_all
def test_what_is_still_to_be_confirmed_has_not_passed() -> None:
    before, after = run([(10, 9)] * 150), run([(10, 6)] + [(10, 9)] * 149)

    found = plan_confirmation(before, after)

    assert gate_reports(before, after).verdict is Verdict.PASS
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.TO_BE_CONFIRMED,)


def test_the_first_stage_fails_at_once_on_a_clear_drop() -> None:
    found = plan_confirmation(run(STEADY), run(WORSE))

    assert found.verdict is Verdict.FAIL
    assert found.subjects[0].resample is None


@pytest.mark.parametrize(("fresh", "verdict"), [(0, Verdict.FAIL), (9, Verdict.INCONCLUSIVE)])
def test_the_second_stage_decides_on_fresh_samples_alone(fresh: int, verdict: Verdict) -> None:
    found = confirm_reports(
        run([(1, 1)] * 50),
        run([(1, 0)] + [(1, 1)] * 49),
        fresh_baseline=run([(10, 10)]),
        fresh_current=run([(10, fresh)]),
    )

    assert found.verdict is verdict


def test_the_second_stage_needs_nothing_where_the_first_one_decided() -> None:
    found = confirm_reports(
        run(STEADY), run(WORSE), fresh_baseline=run([(10, 10)]), fresh_current=run([(10, 10)])
    )

    assert found.verdict is Verdict.FAIL


def test_a_suspect_without_fresh_samples_is_not_cleared() -> None:
    found = confirm_reports(
        run([(1, 1)] * 50),
        run([(1, 0)] * 2 + [(1, 1)] * 48),
        fresh_baseline=run([(10, 10)]),
        fresh_current=run([(10, 10)]),
        rule=GateRule(margin=0.5),
    )

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.TO_BE_CONFIRMED,)


def test_suspects_are_not_excused_as_too_few_samples() -> None:
    before, after = run([(1, 1)] * 60), run([(1, 0)] * 4 + [(1, 1)] * 56)
    three = run([(10, 10)] * 3)
    second = confirm_reports(before, after, fresh_baseline=three, fresh_current=three)

    for found in (plan_confirmation(before, after), second):
        assert found.subjects[0].decision.grounds == (Ground.TO_BE_CONFIRMED,)
        assert not found.lacks_only_samples


def test_suspects_that_are_broken_fail_though_another_was_not_drawn_again() -> None:
    before, after = run([(1, 1)] * 60), run([(1, 0)] * 4 + [(1, 1)] * 56)

    found = confirm_reports(
        before, after, fresh_baseline=run([(10, 10)] * 3), fresh_current=run([(10, 0)] * 3)
    )

    assert found.verdict is Verdict.FAIL


def test_a_suspect_with_too_few_fresh_samples_is_not_cleared() -> None:
    found = confirm_reports(
        run([(1, 1)] * 164),
        run([(1, 0)] + [(1, 1)] * 163),
        fresh_baseline=run([(3, 3)]),
        fresh_current=run([(3, 3)]),
    )

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.TO_BE_CONFIRMED,)


def test_the_samples_of_the_first_stage_do_not_confirm_themselves() -> None:
    before, after = run([(10, 10)] * 50), run([(10, 7)] + [(10, 10)] * 49)

    with pytest.raises(UserError, match="generated"):
        confirm_reports(before, after, fresh_baseline=before, fresh_current=after)


def test_one_reused_run_is_refused_even_where_no_case_is_to_be_confirmed() -> None:
    before, after, other = run(STEADY), run(WORSE), run([(10, 10)], night=2)

    for fresh_baseline, fresh_current in ((before, other), (other, after)):
        with pytest.raises(UserError, match="generated again"):
            confirm_reports(before, after, fresh_baseline=fresh_baseline, fresh_current=fresh_current)


def test_fresh_samples_of_another_subject_are_refused() -> None:
    with pytest.raises(InputError, match="lack the subject"):
        confirm_reports(
            run([(1, 1)] * 50),
            run([(1, 0)] + [(1, 1)] * 49),
            fresh_baseline=run([(10, 10)], model="other"),
            fresh_current=run([(10, 10)], model="other"),
        )
