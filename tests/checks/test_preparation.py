"""Whether answers can reach their grader is known before any of them is generated."""

import pytest

from steelyard.checks.preparation import integrity_of
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Integrity

SEALED, OPEN = Integrity.SEALED, Integrity.OPEN
MODES = {
    "text": ("text", Expectations(settings={"exact": "2"}), SEALED),
    "rust with tests": ("rust", Expectations(tests="#[test] fn t() {}"), OPEN),
    "rust that must only build": ("rust", Expectations(), SEALED),
    "a recipe with tests": ("command", Expectations(tests="test()"), OPEN),
    "a recipe by input and output": ("command", Expectations(tests="x", settings={"tests": "io"}), SEALED),
    "rust takes no form": ("rust", Expectations(tests="x", settings={"tests": "io"}), OPEN),
    "terraform": ("terraform", Expectations(), SEALED),
    "terraform with tests": ("terraform", Expectations(tests='run "a" {}'), OPEN),
    "a recipe that must only build": ("command", Expectations(), SEALED),
    "a plug-in": ("cobol", Expectations(tests="x"), None),
    "judges": ("judge", Expectations(), None),
}


@pytest.mark.parametrize("name", MODES)
def test_a_checker_has_one_mode_for_a_case(name: str) -> None:
    checker, expectations, mode = MODES[name]

    assert integrity_of(checker, Case(id="a", language="x", expectations=expectations)) is mode


def test_a_check_of_its_own_changes_nothing() -> None:
    expectations = Expectations(tests="x", settings={"tests": "io"}, custom_check="grep -q add")

    assert integrity_of("command", Case(id="a", language="c", expectations=expectations)) is SEALED
