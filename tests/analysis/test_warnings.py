"""Saying what a reader of the numbers must know."""

from pathlib import Path

import pytest

from steelyard.model.options import Duplicates, Errors, Missing
from steelyard.store import spreads
from tests.analysis.counted import reported

HEADER = "model,tier,case,attempt,passed\n"
GAPS = HEADER + "a,T0,c,0,True\na,T0,d,0,True\nb,T0,c,0,True\nb,T0,c,1,\n"


def test_a_report_without_surprises_has_no_warnings(tmp_path: Path) -> None:
    assert reported(tmp_path, HEADER + "a,T0,c,0,True\n").warnings == ()


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Missing.FAIL, "counted as failures (--missing skip leaves them out)"),
        (Missing.SKIP, "left out of every mean (--missing fail counts them as failures)"),
    ],
)
def test_missing_cases_are_told_with_the_policy_and_the_other(
    tmp_path: Path, policy: Missing, words: str
) -> None:
    found = reported(tmp_path, GAPS, missing=policy).warnings

    assert f"b (T0): 1 case without a sample, {words}" in found


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Errors.EXCLUDE, "are no evidence and were left out (--errors fail counts them as failures)"),
        (Errors.FAIL, "were counted as failures (--errors exclude leaves them out)"),
    ],
)
def test_errors_are_told_with_the_policy_and_the_other(tmp_path: Path, policy: Errors, words: str) -> None:
    found = reported(tmp_path, GAPS, errors=policy).warnings

    assert f"b (T0): 1 sample ended in an infrastructure error: these {words}" in found


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Duplicates.ERROR, "equal to one that was counted and dropped"),
        (Duplicates.FIRST, "dropped in favour of the earlier row for the same attempt"),
        (Duplicates.LAST, "dropped in favour of the later row for the same attempt"),
    ],
)
def test_dropped_rows_are_told(tmp_path: Path, policy: Duplicates, words: str) -> None:
    text = HEADER + "a,T0,c,0,True\na,T0,c,0,True\na,T0,c,0,True\n"

    assert reported(tmp_path, text, duplicates=policy).warnings == (f"a (T0): 2 rows {words}",)


def test_a_missing_baseline_tier_is_told_once(tmp_path: Path) -> None:
    text = HEADER + "a,T1,c,0,True\na,T2,c,0,True\nb,T1,c,0,True\nb,T2,c,0,True\n"

    assert reported(tmp_path, text).warnings == (
        "there is no baseline tier 'T0' (tiers: T1, T2); name one with --baseline-tier to get uplifts",
    )


def test_medians_left_out_for_size_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreads, "SPREAD_LIMIT", 0)

    report = reported(tmp_path, HEADER + "a,T0,c,0,True\n")

    assert report.warnings == (
        "medians, modes and extremes were left out for size; --statistics full computes them",
    )
    assert (report.subjects[0].spreads.score.mean, report.subjects[0].spreads.score.median) == (1.0, None)
    assert report.subjects[0].grade.letter == "A"


def test_builds_without_tests_lint_or_price_are_told(tmp_path: Path) -> None:
    text = (
        "model,case,attempt,built,tests_passed,tests_failed,lint_warnings,cost_usd\n"
        "a,c,0,True,0,0,0,1\n"
        "a,c,1,True,1,0,,\n"
    )

    assert reported(tmp_path, text).warnings == (
        "a (T0): 1 sample built but ran no test, so that the tests part is 0",
        "a (T0): 1 sample without a lint result, which is left out of the score",
        "a (T0): 1 sample without a known cost, so that no total is given",
    )


def test_one_tier_of_any_name_and_a_baseline_tier_that_is_there_need_no_word(tmp_path: Path) -> None:
    both = HEADER + "a,T0,c,0,True\na,T1,c,0,True\n"

    assert reported(tmp_path, HEADER + "a,T1,c,0,True\n").warnings == ()
    assert reported(tmp_path, both).warnings == ()


def test_times_are_told_to_be_of_hard_cases_only_where_a_rule_stopped_and_times_are_known(
    tmp_path: Path,
) -> None:
    timed = "model,case,attempt,passed,latency_s\na,c,0,False,1\na,c,1,True,1\n"
    untimed = "model,case,attempt,passed\na,c,0,False\na,c,1,True\n"
    rule = "maximum=2,passes=1"

    assert reported(tmp_path, timed, stop_rule=rule).warnings == (
        "times are those of the samples drawn: the stop rule drew hard cases more often than easy ones",
    )
    assert reported(tmp_path, timed).warnings == ()
    assert reported(tmp_path, untimed, stop_rule=rule).warnings == ()


def test_samples_without_lint_are_not_told_where_no_linter_exists(tmp_path: Path) -> None:
    text = "model,case,attempt,built,tests_passed,tests_failed\na,c,0,True,1,0\n"

    assert reported(tmp_path, text, lints=False).warnings == ()
    assert len(reported(tmp_path, text).warnings) == 1
