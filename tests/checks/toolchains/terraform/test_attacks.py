"""No answer in Terraform gets away with a trick, and none leaves anything behind."""

import pytest

from steelyard.checks.toolchains.terraform.checker import TerraformChecker
from tests.checks.leftovers import processes_with, used_sandbox
from tests.checks.toolchains.terraform.attacks import ATTACKS, HARMLESS, MARK, Attack
from tests.checks.toolchains.terraform.cases import CASES
from tests.sandbox.traces import left_since, traces


@pytest.fixture(scope="module")
def checker() -> TerraformChecker:
    return TerraformChecker(used_sandbox())


@pytest.mark.parametrize("attack", [*ATTACKS, *HARMLESS], ids=lambda attack: f"{attack.kind}: {attack.tries}")
def test_a_trick_gets_the_outcome_it_must_get(attack: Attack, checker: TerraformChecker) -> None:
    before = traces(groups=True)

    outcome = checker.check(CASES[attack.case], attack.answer)

    assert outcome.facts.classification is attack.kind, outcome.detail
    assert left_since(before, lambda: traces(groups=True)) == {}
    assert MARK not in attack.answer or processes_with(MARK) == []
