"""Tests that leave a door open are fooled, and the same tests written with care are not."""

import pytest

from steelyard.checks.forms.tests.checker import CommandChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Integrity, Outcome
from tests.checks.forms.tests.collection import AVOIDABLE
from tests.checks.forms.tests.tricks.careless import Careless
from tests.checks.leftovers import used_sandbox

PASS, FAIL = Classification.PASS, Classification.FAIL


@pytest.fixture(scope="module")
def checker() -> CommandChecker:
    return CommandChecker(used_sandbox())


def checked(checker: CommandChecker, planted: Careless, tests: str, code: str) -> Outcome:
    case = Case(id="x", language=planted.recipe, expectations=Expectations(tests=tests))
    return checker.check(case, f"```{planted.recipe}\n{code}```\n")


@pytest.mark.check_all
@pytest.mark.parametrize("planted", AVOIDABLE, ids=lambda planted: f"{planted.recipe}: {planted.name}")
def test_a_trick_fools_careless_tests_and_no_others(planted: Careless, checker: CommandChecker) -> None:
    fooled = checked(checker, planted, planted.tests, planted.code)
    stopped = checked(checker, planted, planted.careful, planted.code)
    right = checked(checker, planted, planted.careful, planted.right)

    assert (fooled.facts.classification, fooled.integrity) == (PASS, Integrity.OPEN), fooled.detail
    assert stopped.facts.classification is FAIL, stopped.detail
    assert right.facts.classification is PASS, right.detail
