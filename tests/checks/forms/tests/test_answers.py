"""Every answer in every language that has a recipe gets what it deserves, and leaves nothing behind."""

import pytest

from steelyard.checks.forms.tests.checker import CommandChecker
from steelyard.model.outcome import Integrity
from tests.checks.forms.tests.answers import MARK, TRUTHS, Planted
from tests.checks.forms.tests.cases import case
from tests.checks.forms.tests.collection import STOPPED, UNSTOPPABLE
from tests.checks.leftovers import processes_with, used_sandbox
from tests.sandbox.traces import left_since, traces

PLANTED = (*TRUTHS, *STOPPED)


def name_of(planted: Planted) -> str:
    return f"{planted.recipe}: {planted.name}"


def answer_of(planted: Planted) -> str:
    word = {"cmake": "cpp"}.get(planted.recipe.split()[-1], planted.recipe.split()[-1])
    return f"Here you are:\n\n```{word}\n{planted.code}```\n"


@pytest.fixture(scope="module")
def checker() -> CommandChecker:
    return CommandChecker(used_sandbox())


def test_the_corpus_is_large_and_every_name_stands_once() -> None:
    assert len({name_of(planted) for planted in PLANTED}) == len(PLANTED) >= 80


@pytest.mark.parametrize("planted", PLANTED, ids=name_of)
def test_the_facts_are_those_of_the_corpus(planted: Planted, checker: CommandChecker) -> None:
    before = traces(groups=True)

    outcome = checker.check(case(planted.recipe), answer_of(planted))

    facts = outcome.facts
    assert facts.classification is planted.kind, outcome.detail
    assert planted.tests in {None, (facts.tests_passed, facts.tests_failed)}, outcome.detail
    assert left_since(before, lambda: traces(groups=True)) == {}
    assert MARK not in planted.code or processes_with(MARK) == []


@pytest.mark.check_all
@pytest.mark.parametrize("planted", UNSTOPPABLE, ids=name_of)
def test_a_grade_that_can_be_forged_says_so(planted: Planted, checker: CommandChecker) -> None:
    outcome = checker.check(case(planted.recipe), answer_of(planted))

    assert outcome.facts.classification is planted.kind, outcome.detail
    assert outcome.integrity is Integrity.OPEN
