# --- prompt
# A generator function `evens(numbers)`.
# --- right
def evens(numbers):
    for number in numbers:
        if number % 2 == 0:
            yield number
# --- wrong
def evens(numbers):
    return [number for number in numbers if number % 2 == 0]
# --- tests
import types

from solution import evens


def test_generator():
    result = evens([1, 2, 4])
    assert isinstance(result, types.GeneratorType)
    assert list(result) == [2, 4]
