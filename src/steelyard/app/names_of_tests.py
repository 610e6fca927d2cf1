"""Tell names of tests from other words that stand before a colon in the output of a check."""

import re
from functools import lru_cache

from steelyard.checks.excerpts import LONGEST
from steelyard.model.case import Expectations

OUTPUT_KEPT = LONGEST  # characters of a check's output that a run keeps
NUMBERED = re.compile(r"(?:call|line|run) [0-9]+", re.ASCII)  # what checkers call a test without a name
WORD = re.compile(r"[^\W_]+")


def is_test_name(name: str, expectations: Expectations) -> bool:
    """Whether every word of a name stands in the tests of a case; parameters in brackets do not count.

    >>> tests = Expectations(tests="def test_add_two(): assert add(1, 1) == 2")
    >>> [is_test_name(name, tests) for name in ("test_add_two", "test_add_two[a-b]", "NameError", "line 3")]
    [True, True, False, True]
    """
    words = WORD.findall(name.partition("[")[0])
    return bool(NUMBERED.fullmatch(name)) or (bool(words) and _words(expectations).issuperset(words))


@lru_cache(maxsize=64)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text))


def _words(expectations: Expectations) -> frozenset[str]:
    calls = [call.name for call in expectations.calls]
    programs = [test.name for test in expectations.io]
    return _words_of("\n".join([expectations.tests, *calls, *programs]))
