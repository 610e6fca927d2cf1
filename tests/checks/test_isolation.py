"""Whether answers can reach their grader is known before any of them is drawn."""

import pytest

from steelyard.checks.isolation import isolation_of
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Isolation

APART, SHARED = Isolation.APART, Isolation.SHARED
MODES = {
    "text": ("text", Expectations(settings={"exact": "2"}), APART),
    "rust with tests": ("rust", Expectations(tests="#[test] fn t() {}"), SHARED),
    "rust that must only build": ("rust", Expectations(), APART),
    "a recipe with tests": ("command", Expectations(tests="test()"), SHARED),
    "a recipe by input and output": ("command", Expectations(tests="x", settings={"tests": "io"}), APART),
    "rust takes no form": ("rust", Expectations(tests="x", settings={"tests": "io"}), SHARED),
    "terraform": ("terraform", Expectations(), APART),
    "terraform with tests": ("terraform", Expectations(tests='run "a" {}'), SHARED),
    "python": ("python", Expectations(tests="def test_a(): ..."), APART),
    "python in one process": ("python", Expectations(tests="x", isolation=SHARED), SHARED),
    "a plug-in": ("cobol", Expectations(tests="x"), None),
    "judges": ("judge", Expectations(), None),
}


@pytest.mark.parametrize("name", MODES)
def test_a_checker_has_one_mode_for_a_case(name: str) -> None:
    checker, expectations, mode = MODES[name]

    assert isolation_of(checker, Case(id="a", language="x", expectations=expectations)) is mode


def test_a_check_of_its_own_changes_nothing() -> None:
    expectations = Expectations(tests="x", settings={"tests": "io"}, custom_check="grep -q add")

    assert isolation_of("command", Case(id="a", language="c", expectations=expectations)) is APART
