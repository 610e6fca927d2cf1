"""Unfair and repeated cases, and cases that cannot be audited, are found."""

from steelyard.auditing.checks import AnswerChecks
from tests.auditing.python_cases import DOUBLE, audited, python_case, rules_found

SLOW = "import time\n\ndef double(n):\n    time.sleep(0.5)\n    return n * 2\n"
LONG = "Write double(n), which returns twice its argument for every integer, also for negative ones."


def test_unstated_names_and_tight_limits_are_found(checks: AnswerChecks) -> None:
    secret = python_case("secret", prompt="Write a function that doubles a number.")
    slow = python_case("slow", SLOW, "assert double(3) == 6\nassert double(1) == 2", timeout_s=2.5)

    assert rules_found(audited(checks, secret, slow)) == {
        ("secret", "unstated-name"),
        ("slow", "tight-time-limit"),
    }


def test_gaps_and_near_duplicates_of_a_set_are_found(checks: AnswerChecks) -> None:
    cases = (
        python_case("first", prompt=LONG),
        python_case("second", prompt=f"{LONG} Thanks."),
        python_case("other", prompt="Write double(n) without the operator for multiplication."),
        python_case("bare", None, "assert double(2) == 4", prompt="Something: double"),
        python_case("untested", DOUBLE, "", prompt="Anything that builds."),
    )

    assert rules_found(audited(checks, *cases)) == {
        ("second", "near-duplicate"),
        ("bare", "no-reference"),
        ("untested", "no-tests"),
    }
