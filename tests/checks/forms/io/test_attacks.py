"""No program passes that does not print what is expected, whatever else it does."""

from collections import Counter
from collections.abc import Iterator

import pytest

from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.toolchains.drivers.driver import drivers, warm_options
from steelyard.model.case import Case
from steelyard.model.outcome import Integrity
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.checks.forms.io.attacks import ATTACKS, TIMEOUT, Attack

FEWEST = 4
PATIENT_S, BRIEF_S = 60.0, 4.0  # the second for programs that are meant to use all their time


@pytest.fixture(scope="module")
def checker() -> Iterator[IoChecker]:
    sandbox = WarmPythonSandbox(**warm_options())
    yield IoChecker(sandbox)
    sandbox.close()


def test_every_language_is_attacked() -> None:
    counts = Counter(attack.language for attack in ATTACKS)

    assert counts.keys() == drivers().keys()
    assert min(counts.values()) >= FEWEST


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.language}-{attack.name}")
def test_an_attack_ends_as_the_program_s_own_failure(attack: Attack, checker: IoChecker) -> None:
    limit_s = BRIEF_S if TIMEOUT in attack.kinds else PATIENT_S
    case = Case(id="sum", language=attack.language, timeout_s=limit_s, expectations=attack.wanted)

    outcome = checker.check(case, f"```{attack.language}\n{attack.code}\n```\n")

    assert outcome.facts.classification in attack.kinds, outcome.detail
    assert outcome.integrity is Integrity.SEALED
