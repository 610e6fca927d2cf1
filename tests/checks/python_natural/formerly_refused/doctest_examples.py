# --- prompt
# `mean(numbers)` with a doctest in its docstring; 0.0 for no numbers.
# --- right
def mean(numbers):
    """Return the mean.

    >>> mean([1, 2])
    1.5
    >>> mean([])
    0.0
    """
    return sum(numbers) / len(numbers) if numbers else 0.0
# --- wrong
def mean(numbers):
    """Return the mean.

    >>> mean([1, 2])
    1.5
    >>> mean([])
    0.0
    """
    return sum(numbers) / len(numbers)
# --- tests
import doctest

import solution


def test_docstring():
    results = doctest.testmod(solution)
    assert results.attempted == 2
    assert results.failed == 0
