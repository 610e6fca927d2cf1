"""Tests that answers pass without solving the case are found."""

from dataclasses import replace

from steelyard.auditing.checks import AnswerChecks
from steelyard.model.graded import FunctionCall
from tests.auditing.python_cases import audited, python_case, rules_found

TRUTH = "def is_even(n):\n    return n % 2 == 0\n"
SILENT = "def test_it():\n    double(2)\n"
TYPE_ONLY = "def test_it():\n    assert double(2) is not None\n"
NEVER_DIFFERS = "def test_it():\n    if double(3) != 6:\n        raise AssertionError\n"


def test_answers_that_solve_nothing_and_pass_are_found(checks: AnswerChecks) -> None:
    cases = (
        python_case("silent", tests=SILENT),
        python_case("type-only", tests=TYPE_ONLY),
        python_case("constant", TRUTH, "assert is_even(2) == True\nassert is_even(8) == True"),
        python_case("equal", tests=NEVER_DIFFERS),
        python_case("sound"),
    )

    found = rules_found(audited(checks, *cases))

    assert ("silent", "empty-answer-passes") in found
    assert ("type-only", "constant-passes") in found
    assert ("constant", "constant-passes") in found
    assert ("equal", "cheat-passes") in found
    assert ("equal", "open-assertions") in found
    assert not [rule for case, rule in found if case == "sound"]


def test_prompts_that_show_every_expected_value_are_found(checks: AnswerChecks) -> None:
    shown = python_case("shown", prompt="Write double(n), such that double(3)==6 and double( -4 ) is -8.")
    example = python_case("example", prompt="Write double(n), such that double(3) == 6.")
    calls = tuple(FunctionCall(args=(n,), returns=2 * n) for n in (3, 7))
    called = replace(
        shown,
        id="called",
        prompt="Write double(n): double(3) -> 6, double(7) -> 14",
        expectations=replace(shown.expectations, tests="", function="double", calls=calls),
    )

    found = rules_found(audited(checks, shown, example, called))

    assert found == {("shown", "tests-in-prompt"), ("called", "tests-in-prompt")}
