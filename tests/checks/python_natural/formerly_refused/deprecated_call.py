# --- prompt
# `total(items)` still works and is deprecated in favour of `sum`.
# --- right
import warnings


def total(items):
    warnings.warn("use sum()", DeprecationWarning, stacklevel=2)
    return sum(items)
# --- wrong
import warnings


def total(items):
    warnings.warn("use sum()", RuntimeWarning, stacklevel=2)
    return sum(items)
# --- tests
import pytest

from solution import total


def test_deprecated():
    with pytest.deprecated_call():
        assert total([1, 2]) == 3
