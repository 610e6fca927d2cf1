# --- prompt
# `shuffled(items, seed)` returns a shuffled copy and leaves the global generator alone.
# --- right
import random


def shuffled(items, seed):
    items = list(items)
    random.Random(seed).shuffle(items)
    return items
# --- wrong
import random


def shuffled(items, seed):
    items = list(items)
    random.seed(seed)
    random.shuffle(items)
    return items
# --- tests
import random

from solution import shuffled


def test_state():
    before = random.getstate()
    first = shuffled(range(10), 3)
    assert random.getstate() == before
    assert first == shuffled(range(10), 3)
    assert sorted(first) == list(range(10))
