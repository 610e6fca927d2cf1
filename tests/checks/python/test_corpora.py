"""Every planted answer gets the outcome it must get, cold and warm, and leaves nothing behind."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.errors import InputError
from steelyard.model.outcome import Classification, Isolation, Outcome
from tests.checks.leftovers import processes_with
from tests.checks.python.corpus import ATTACKS, FORGED, REFUSED, RIGHT, TRUTHS, Planted
from tests.sandbox.traces import left_since, traces

WORKERS = 3
SLOW = replace(TRUTHS[0], answer=f"import time\ntime.sleep(0.5)\n{RIGHT}")


def check_all(checker: PythonChecker, entries: list[Planted]) -> list[Outcome]:
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(lambda entry: checker.check(entry.case, entry.answer), entries))


def name_of_answer(item: pytest.Item) -> str | None:
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return next((each.name for each in parameters.values() if isinstance(each, Planted)), None)


@pytest.fixture(scope="module")
def outcomes(checker: PythonChecker, request: pytest.FixtureRequest) -> Iterator[dict[str, Outcome]]:
    """Check the answers whose tests run."""
    selected = {name_of_answer(item) for item in request.session.items}
    check_all(checker, [SLOW] * WORKERS)  # whatever is kept for later, one for each at a time, is there now
    before = traces(groups=True)
    entries = [entry for entry in (*ATTACKS, *TRUTHS) if entry.name in selected]
    yield dict(zip([entry.name for entry in entries], check_all(checker, entries), strict=True))
    assert left_since(before, lambda: traces(groups=True)) == {}


def test_the_corpora_are_large_and_name_each_answer_once() -> None:
    names = [entry.name for entry in (*ATTACKS, *REFUSED, *TRUTHS)]

    assert len(names) == len(set(names))
    assert (len(ATTACKS) >= 280, len(REFUSED) >= 25, len(TRUTHS) >= 180) == (True, True, True)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_cheat_gets_away(attack: Planted, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[attack.name]

    assert outcome.facts.classification in attack.ends, outcome


@pytest.mark.parametrize("attack", REFUSED, ids=lambda attack: attack.name)
def test_tests_that_would_be_cheated_are_refused_by_name(attack: Planted, checker: PythonChecker) -> None:
    with pytest.raises(InputError) as refused:
        checker.check(attack.case, attack.answer)

    assert f"{attack.name}: its tests use {attack.refused}, " in str(refused.value)


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: forged.name)
def test_a_grade_that_can_be_forged_says_so(forged: Planted, checker: PythonChecker) -> None:
    outcome = checker.check(forged.case, forged.answer)

    assert outcome.facts.classification in forged.ends, outcome
    assert outcome.isolation is Isolation.SHARED


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: forged.name)
def test_what_forges_a_shared_grade_fails_where_tests_are_apart(
    forged: Planted, checker: PythonChecker
) -> None:
    outcome = checker.check(replace(forged, isolation=None).case, forged.answer)

    assert outcome.facts.classification is Classification.FAIL, outcome
    assert outcome.isolation is Isolation.APART


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_the_facts_are_true(truth: Planted, outcomes: dict[str, Outcome]) -> None:
    facts = outcomes[truth.name].facts

    assert facts.classification in truth.ends, outcomes[truth.name]
    assert facts.built == truth.built
    assert (facts.tests_passed, facts.tests_failed, facts.tests_ignored) == (truth.counts or (None,) * 3)


def test_nothing_is_left_running(outcomes: dict[str, Outcome]) -> None:
    assert outcomes
    assert not [line for line in processes_with("grade.py") if "pytest" not in line]
