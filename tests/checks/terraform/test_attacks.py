"""No answer in Terraform gets away with a trick, and none leaves anything behind."""

import pytest

from steelyard.checks.terraform.checker import TerraformChecker
from steelyard.sandbox.bubblewrap import BubblewrapSandbox
from tests.checks.leftovers import mounts, processes_with
from tests.checks.terraform.attacks import ATTACKS, HARMLESS, MARK, Attack
from tests.checks.terraform.cases import CASES


@pytest.fixture(scope="module")
def checker() -> TerraformChecker:
    return TerraformChecker(BubblewrapSandbox())


@pytest.mark.parametrize("attack", [*ATTACKS, *HARMLESS], ids=lambda attack: attack.tries)
def test_a_trick_gets_the_outcome_it_must_get(attack: Attack, checker: TerraformChecker) -> None:
    before = mounts()

    outcome = checker.check(CASES[attack.case], attack.answer)

    assert outcome.facts.classification is attack.kind, outcome.detail
    assert mounts() == before
    assert MARK not in attack.answer or processes_with(MARK) == []
