"""No answer passes that does not add, whatever it does in its process; each failure is the answer's own."""

from collections import Counter
from collections.abc import Iterator

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.toolchains.drivers.driver import drivers, warm_options
from steelyard.model.outcome import Integrity
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.checks.forms.calls.answers import fenced
from tests.checks.forms.calls.attacks import ATTACKS, TIMEOUT, Attack

FEWEST = 8
PATIENT_S, BRIEF_S = 60.0, 4.0  # the second for answers that are meant to use all their time


@pytest.fixture(scope="module")
def checker() -> Iterator[CallsChecker]:
    """Python runs warm, as in a run; other languages start afresh."""
    sandbox = WarmPythonSandbox(**warm_options())
    yield CallsChecker(sandbox)
    sandbox.close()


def name_of(attack: Attack) -> str:
    return f"{attack.language}-{attack.name}"


def test_every_driver_is_attacked_in_many_ways() -> None:
    counts = Counter(attack.language for attack in ATTACKS)

    assert counts.keys() == drivers().keys()
    assert min(counts.values()) >= FEWEST


@pytest.mark.parametrize("attack", ATTACKS, ids=name_of)
def test_an_attack_ends_as_the_answer_s_own_failure(attack: Attack, checker: CallsChecker) -> None:
    limit_s = BRIEF_S if TIMEOUT in attack.kinds else PATIENT_S
    case = attack.task.case(attack.language, timeout_s=limit_s)

    outcome = checker.check(case, fenced(attack.language, attack.code))

    assert outcome.facts.classification in attack.kinds, outcome.detail
    assert outcome.integrity is Integrity.SEALED
