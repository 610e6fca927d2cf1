"""Planted answers: truths have the facts they must have, and no attack passes but for a stated reason."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.errors import InputError
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.checks.toolchains.python.corpus import ATTACKS, FORGING, LISTED, PASSING, TRUTHS, Planted

WORKERS = 3


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Iterator[dict[str, Outcome | None]]:
    """Check only the attacks whose tests run, several at a time."""
    names = {item.name.partition("[")[2].removesuffix("]") for item in request.session.items}
    sandbox = WarmPythonSandbox(**this_interpreter().warm_options())
    checker = PythonChecker(sandbox)

    def check(attack: Planted) -> Outcome | None:
        try:
            return checker.check(attack.case, attack.answer)
        except InputError:
            return None  # its tests are refused

    attacks = [attack for attack in ATTACKS if attack.name in names]
    with ThreadPoolExecutor(WORKERS) as pool:
        yield dict(zip([attack.name for attack in attacks], pool.map(check, attacks), strict=True))
    sandbox.close()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_attack_passes_but_those_listed(attack: Planted, outcomes: dict[str, Outcome | None]) -> None:
    outcome = outcomes[attack.name]

    if outcome is not None and outcome.facts.classification is Classification.PASS:
        assert attack.name in LISTED, outcome
        assert outcome.integrity is not Integrity.SEALED or LISTED[attack.name] not in FORGING, outcome


def test_each_answer_has_a_name_of_its_own_and_listed_attacks_exist() -> None:
    names = [entry.name for entry in (*ATTACKS, *TRUTHS)]

    assert len(names) == len(set(names))
    assert LISTED.keys() <= {attack.name for attack in ATTACKS}
    assert len(LISTED) == sum(map(len, PASSING.values()))


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_truths_have_their_facts(truth: Planted, checker: PythonChecker) -> None:
    outcome = checker.check(truth.case, truth.answer)
    facts = outcome.facts

    assert (facts.classification, facts.built) == (truth.ends, truth.built), outcome.detail
    if truth.counts:
        assert (facts.tests_passed, facts.tests_failed, facts.tests_ignored) == truth.counts, outcome.detail
