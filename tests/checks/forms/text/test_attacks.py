"""No text passes by a trick of its form, and none stops its reader."""

import pytest

from steelyard.checks.forms.text.checker import TextChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Integrity
from tests.checks.forms.text.attacks import ATTACKS, TIMEOUT, Attack


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.form}-{attack.name}")
def test_a_trick_gets_the_outcome_it_must_get(attack: Attack) -> None:
    limit_s = 0.5 if attack.kind is TIMEOUT else 60.0
    expectations = Expectations(settings=attack.settings)
    case = Case(id="t", language="text", timeout_s=limit_s, expectations=expectations)

    outcome = TextChecker().check(case, attack.answer)

    assert outcome.facts.classification is attack.kind, outcome.detail
    assert outcome.integrity is Integrity.SEALED
