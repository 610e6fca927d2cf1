# --- prompt
# `ratio(a, b)` returns a / b; for b = 0 it warns (`RuntimeWarning`, "division by zero") and returns 0.0.
# --- right
import warnings


def ratio(a, b):
    if b == 0:
        warnings.warn("division by zero", RuntimeWarning, stacklevel=2)
        return 0.0
    return a / b
# --- wrong
import warnings


def ratio(a, b):
    if b == 0:
        return 0.0
    return a / b
# --- tests
import pytest

from solution import ratio


def test_warns():
    with pytest.warns(RuntimeWarning, match="by zero"):
        assert ratio(1, 0) == 0.0
    assert ratio(1, 4) == 0.25
