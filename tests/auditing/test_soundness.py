"""References that fail, by chance or under other conditions, are found."""

import os
import subprocess
import sys

import pytest

from steelyard.auditing.checks import AnswerChecks
from steelyard.auditing.soundness import run_reference
from steelyard.model.case import Case
from tests.auditing.python_cases import audited, python_case, rules_found

LETTERS = "def letters(text):\n    return list(set(text))\n"
DAY = "import time\n\ndef day(seconds):\n    return time.localtime(seconds).tm_mday\n"
COUNT = "calls = []\n\ndef count(item):\n    calls.append(item)\n    return len(calls)\n"
COIN = "import os\n\ndef coin():\n    return os.urandom(1)[0] < 128\n"
TWO_TESTS = "def test_a():\n    assert count('a') == 1\n\ndef test_b():\n    assert count('b') == 2\n"


def test_a_failing_reference_and_a_passing_wrong_answer_are_found(checks: AnswerChecks) -> None:
    broken = python_case("broken", "def double(n):\n    return n\n")
    lenient = python_case("lenient", tests="assert double(2) == 4", wrong=("def double(n): return n + 2",))

    audit = audited(checks, broken, lenient)

    assert ("broken", "reference-fails") in rules_found(audit)
    assert ("lenient", "wrong-answer-passes") in rules_found(audit)
    assert audit.has_errors


def test_a_reference_that_passes_by_chance_is_flaky(checks: AnswerChecks) -> None:
    case = python_case("coin", COIN, "def test_it():\n    assert coin() is True\n")

    # Missed once in 2,048 audits.
    assert rules_of_reference(checks, case, runs=12) == ["reference-flaky"]


def test_dependence_on_the_order_of_tests_is_found(checks: AnswerChecks) -> None:
    case = python_case("count", COUNT, TWO_TESTS)

    assert rules_of_reference(checks, case, runs=1) == ["test-order-dependent"]


def test_dependence_on_the_hash_seed_is_found(checks: AnswerChecks) -> None:
    order = order_of_letters("abcdefgh")
    case = python_case("letters", LETTERS, f"def test_it():\n    assert letters('abcdefgh') == {order}\n")

    assert rules_of_reference(checks, case) == ["hash-seed-dependent"]


@pytest.mark.check_all
def test_dependence_on_the_time_zone_is_found(checks: AnswerChecks) -> None:
    tests = "def test_it():\n    assert day(864000) == 11\n    assert day(950399) == 11\n"

    assert rules_of_reference(checks, python_case("day", DAY, tests)) == ["time-zone-dependent"]


@pytest.mark.check_all
def test_a_sound_reference_depends_on_nothing(checks: AnswerChecks) -> None:
    assert rules_of_reference(checks, python_case("sound"), runs=3) == []


def rules_of_reference(checks: AnswerChecks, case: Case, *, runs: int = 2) -> list[str]:
    """Return the rules that the runs of a reference violate."""
    return [finding.rule for finding in run_reference(case, checks, runs=runs).findings]


def order_of_letters(text: str) -> str:
    """Return a set of letters in the order of the checker's hash seed."""
    program = f"print(list(set({text!r})))"
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()
