"""The limits that docs/how-to/check-python.md states: what passes or fails although it should not."""

from collections.abc import Iterator

import pytest

from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

PASS, FAIL = Classification.PASS, Classification.FAIL
RAISES = """
import pytest
def test_it():
    with pytest.raises(KeyError):
        get({}, "a")
    assert get({1: 2}, 1) == 2
"""
GET = """
def get(table, key):
    if key not in table:
        raise {error}
    return table[key]
"""
BRANCHES = """
def test_it():
    items = sort([2, 1])
    if isinstance(items, list):
        assert items == [1, 2]
    else:
        assert tuple(items) == (1, 2)
"""


@pytest.fixture(scope="module")
def checker() -> Iterator[PythonChecker]:
    sandbox = WarmPythonSandbox(**this_interpreter().warm_options())
    yield PythonChecker(sandbox)
    sandbox.close()


def graded(
    checker: PythonChecker,
    tests: str,
    answer: str,
    *,
    reference: str | None = None,
    files: dict[str, str] | None = None,
) -> Outcome:
    expectations = Expectations(tests=tests, settings={"answer": "raw"})
    case = Case(
        id="limit",
        language="python",
        timeout_s=30.0,
        files=files or {},
        reference=reference,
        expectations=expectations,
    )
    return checker.check(case, answer)


def test_an_exception_class_of_the_same_name_passes(checker: PythonChecker) -> None:
    answer = "class KeyError(Exception): pass\n" + GET.format(error="KeyError")

    assert graded(checker, RAISES, answer).facts.classification is PASS


def test_a_rightly_taken_other_branch_fails(checker: PythonChecker) -> None:
    reference, answer = "sort = sorted\n", "def sort(items): return tuple(sorted(items))\n"

    outcome = graded(checker, BRANCHES, answer, reference=reference)

    assert outcome.facts.classification is FAIL
    assert "was not reached" in outcome.detail
    assert graded(checker, BRANCHES, answer).facts.classification is PASS


def test_a_script_that_exits_fails(checker: PythonChecker) -> None:
    outcome = graded(checker, "import sys\nassert one() == 1\nsys.exit(0)\n", "def one(): return 1\n")

    assert outcome.facts.classification is FAIL


def test_an_exception_named_like_a_skip_is_one(checker: PythonChecker) -> None:
    answer = "class Skipped(KeyError): pass\n" + GET.format(error="Skipped")

    assert graded(checker, RAISES, answer).facts.classification is FAIL


def test_tests_among_the_files_are_not_sealed(checker: PythonChecker) -> None:
    tests = "from helper import expect\ndef test_it():\n    assert one() == 11\n    expect(one())\n"
    copy = "def expect(value):\n    assert value == 11\n"

    outcome = graded(checker, tests, "def one(): return 11\n", files={"helper.py": copy})

    assert (outcome.integrity, outcome.open_assertions) == (Integrity.PARTIAL, 1)
