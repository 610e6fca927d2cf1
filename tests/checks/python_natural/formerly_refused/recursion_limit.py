# --- prompt
# `depth(nested)` returns how deep lists are nested (`[]` is 1), without recursion.
# --- right
def depth(nested):
    deepest, level = 0, [nested]
    while level:
        deepest += 1
        level = [item for parent in level for item in parent if isinstance(item, list)]
    return deepest
# --- wrong
def depth(nested):
    return 1 + max((depth(item) for item in nested if isinstance(item, list)), default=0)
# --- tests
import sys

import pytest

from solution import depth


@pytest.fixture
def low_limit():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    yield
    sys.setrecursionlimit(before)


def test_deep(low_limit):
    nested = []
    for _ in range(999):
        nested = [nested]
    assert depth(nested) == 1000


def test_shallow():
    assert depth([1, [2], [[3]]]) == 3
