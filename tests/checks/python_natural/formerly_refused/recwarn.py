# --- prompt
# `clip(value, low, high)` warns once if it changes the value.
# --- right
import warnings


def clip(value, low, high):
    clipped = max(low, min(high, value))
    if clipped != value:
        warnings.warn(f"clipped {value} to {clipped}", stacklevel=2)
    return clipped
# --- wrong
import warnings


def clip(value, low, high):
    clipped = max(low, min(high, value))
    if True:
        warnings.warn(f"clipped {value} to {clipped}", stacklevel=2)
    return clipped
# --- tests
from solution import clip


def test_silent(recwarn):
    assert clip(3, 0, 5) == 3
    assert not recwarn


def test_warns(recwarn):
    assert clip(9, 0, 5) == 5
    assert str(recwarn.pop(UserWarning).message) == "clipped 9 to 5"
