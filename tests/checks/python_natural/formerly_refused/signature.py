# --- prompt
# `partial_right(function, *args)` fixes the last positional arguments.
# --- right
def partial_right(function, *args):
    def wrapper(*first):
        return function(*first, *args)

    return wrapper
# --- wrong
def partial_right(function, *args):
    def wrapper(*first):
        return function(*args, *first)

    return wrapper
# --- tests
from inspect import signature as s

from solution import partial_right


def test_partial():
    assert partial_right(pow, 2)(5) == 25
    assert list(s(partial_right).parameters) == ["function", "args"]
