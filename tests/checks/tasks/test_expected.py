"""Verdicts by expected test ids, by the rule of SWE-bench."""

import pytest

from steelyard.checks.tasks.expected import decide_expected, passing
from steelyard.model.task import ExpectedTests

EXPECTED = ExpectedTests(script="", fail_to_pass=("f",), pass_to_pass=("p",))


@pytest.mark.parametrize("status", ["passed", "xfailed"])
def test_a_failing_test_must_pass_and_a_passing_one_may_be_skipped(status: str) -> None:
    assert not decide_expected(EXPECTED, {"f": status, "p": status}).problems
    assert not decide_expected(EXPECTED, {"f": status, "p": "skipped"}).problems


@pytest.mark.parametrize("status", ["failed", "skipped", "xpassed", "error"])
def test_any_other_end_of_a_failing_test_counts_against_the_answer(status: str) -> None:
    assert decide_expected(EXPECTED, {"f": status, "p": "passed"}).problems == (f"f: {status}",)


def test_a_test_without_a_result_has_failed() -> None:
    result = decide_expected(EXPECTED, {"p": "passed"})
    assert (result.passed, result.problems) == (1, ("f: reported no result",))


def test_an_id_that_is_cut_off_is_found_if_all_candidates_agree() -> None:
    expected = ExpectedTests(script="", fail_to_pass=("t[a-",), pass_to_pass=())
    assert decide_expected(expected, {"t[a-1]": "passed", "t[a-2]": "passed"}).matched == ("t[a-",)
    assert decide_expected(expected, {"t[a-1]": "passed", "t[a-2]": "failed"}).problems
    whole = ExpectedTests(script="", fail_to_pass=("t[a]",), pass_to_pass=())
    assert decide_expected(whole, {"t[a]b]": "passed"}).problems


def test_only_tests_that_pass_with_the_solution_are_kept() -> None:
    assert passing(("a", "b", "c"), {"a": "passed", "b": "failed"}) == ("a",)
