"""What a grade that is `apart` leaves to the author of the tests, and tests with care for it.

docs/explanation/trust.md and docs/how-to/check-python.md say each of these.
"""

from typing import NamedTuple

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Isolation, Outcome

PASS, FAIL = Classification.PASS, Classification.FAIL
WORD = """\
class Word:
    def startswith(self, text): return True
    def __eq__(self, other): return True
def greet(name): return Word()
"""
POINT = """\
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return True
def point(x): return Point(x)
"""
ALL = """\
class All:
    def __iter__(self): return iter(range(100))
def found(): return All()
"""
TOP = """\
def reference(items):
    return max(items, default=None)
def test_top():
    items = [1, 3, 2]
    assert top(items) == reference(items)
"""
RAISES = """\
import unittest
class TestFind(unittest.TestCase):
    def test_find(self):
        self.assertRaises(ValueError, find, "a")
        self.assertRaises(KeyError, find, "b")
"""
FORMATS = """\
WANTED = "Hello, Ada"
class User:
    def __init__(self, name): self.name = name
def test_it():
    assert WANTED in greeting().format(user=User("Ada"))
"""
BOTH = "class Both(ValueError, KeyError): pass\ndef find(word): raise Both\n"
CLOSE = "def test_root():\n    assert is_close(root(2.0), 1.41421356)\n"
LIES = "def is_close(a, b): return True\ndef root(x): return 7.0\n"
IS_CLOSE = "def is_close(a, b): return abs(a - b) < 1e-6\n"


class OwnWord(NamedTuple):
    """An answer, tests that take its word, and tests that do not."""

    name: str
    answer: str
    tests: str
    careful: str
    prefix: str = ""


OWN_WORDS = (
    OwnWord(
        "a method says yes",
        WORD,
        'def test_it():\n    assert greet("Ada").startswith("Hello")\n',
        'def test_it():\n    assert greet("Ada") == "Hello, Ada"\n',
    ),
    OwnWord(
        "an object equals another one",
        POINT,
        "def test_it():\n    assert point(1) == point(1)\n",
        "def test_it():\n    assert point(1) == point(1)\n    assert point(1) != point(2)\n",
    ),
    OwnWord(
        "an object contains everything",
        ALL,
        "def test_it():\n    assert 3 in found()\n",
        "def test_it():\n    assert 3 in found()\n    assert 4 not in found()\n",
    ),
    OwnWord(
        "a call empties its argument",
        "def top(items): items.clear()\n",
        TOP,
        TOP.replace("top(items) ==", "top(list(items)) =="),
    ),
    OwnWord(
        "an error is of several kinds",
        BOTH,
        RAISES,
        RAISES + "    def test_kind(self):\n        with self.assertRaises(ValueError) as caught:\n"
        '            find("a")\n        self.assertNotIsInstance(caught.exception, KeyError)\n',
    ),
    OwnWord(
        "a text is formatted with what the tests know",
        "def greeting(): return '{user.__init__.__globals__}'\n",
        FORMATS,
        FORMATS.replace("user=User", "user=str"),
    ),
    OwnWord("a helper of the answer lies", LIES, CLOSE, IS_CLOSE + CLOSE),
    OwnWord("a helper of the answer lies, with another in the prefix", LIES, CLOSE, CLOSE, IS_CLOSE),
    OwnWord(
        "an answer knows the inputs by heart",
        "def add(a, b): return {(1, 2): 3}.get((a, b))\n",
        "def test_it():\n    assert add(1, 2) == 3\n",
        "def test_it():\n    assert add(1, 2) == 3\n    assert add(2, 2) == 4\n",
    ),
)


def checked(checker: PythonChecker, answer: str, tests: str, **asked: str) -> Outcome:
    prefix = {"prefix": asked["prefix"]} if asked.get("prefix") else {}
    wanted = Expectations(
        tests=tests,
        custom_check=asked.get("custom_check"),
        settings={"answer": "raw", **prefix},
        isolation=Isolation(asked.get("isolation", "apart")),
    )
    return checker.check(Case(id="x", language="python", expectations=wanted), answer)


@pytest.mark.parametrize("planted", OWN_WORDS, ids=lambda planted: planted.name)
def test_tests_that_take_an_answer_s_word_are_fooled_and_careful_ones_are_not(
    planted: OwnWord, checker: PythonChecker
) -> None:
    fooled = checked(checker, planted.answer, planted.tests)
    stopped = checked(checker, planted.answer, planted.careful, prefix=planted.prefix)

    assert (fooled.facts.classification, fooled.isolation) == (PASS, Isolation.APART), fooled.detail
    assert stopped.facts.classification is FAIL, stopped.detail


def test_the_files_of_a_case_are_the_answer_s_to_read_and_its_tests_are_not(checker: PythonChecker) -> None:
    reference = "def expected(x): return 2 * x\n"
    use = "from solution import *\nassert twice(3) == expected(3)\n"
    answers = {
        "reads it": "from reference import expected as twice\n",
        "replaces it": "def twice(x): return 7\ndef expected(x): return 7\n",
    }

    def kind(answer: str, tests: str, files: dict[str, str]) -> Classification | None:
        wanted = Expectations(tests=tests, settings={"answer": "raw"})
        case = Case(id="x", language="python", expectations=wanted, files=files)
        return checker.check(case, answer).facts.classification

    beside = f"from reference import *\n{use}"
    files = {"reference.py": reference}
    assert [kind(answer, beside, files) for answer in answers.values()] == [PASS, PASS]
    assert [kind(answer, reference + use, {}) for answer in answers.values()] == [FAIL, FAIL]


@pytest.mark.parametrize(
    ("custom_check", "kind"),
    [
        ('python3 -c "import sys; exec(sys.stdin.read()); assert add(1, 2) == 3"', PASS),
        ("grep -q 'a + b'", FAIL),
    ],
    ids=["runs the answer", "reads the answer"],
)
def test_a_custom_check_is_fooled_if_it_runs_the_answer(
    custom_check: str, kind: Classification, checker: PythonChecker
) -> None:
    leaves = 'import os\nif __name__ == "__main__": os._exit(0)\ndef add(a, b): return 7\n'

    outcome = checked(checker, leaves, "", custom_check=custom_check)

    assert (outcome.facts.classification, outcome.isolation) == (kind, Isolation.APART), outcome.detail
