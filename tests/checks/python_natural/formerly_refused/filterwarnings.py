# --- prompt
# `to_int(text)` uses `int`, and warns with `UserWarning` only for surrounding whitespace.
# --- right
import warnings


def to_int(text):
    if text != text.strip():
        warnings.warn("surrounding whitespace", stacklevel=2)
    return int(text)
# --- wrong
import warnings


def to_int(text):
    if not text.isdigit():
        warnings.warn("surrounding whitespace", stacklevel=2)
    return int(text)
# --- tests
import pytest

from solution import to_int


@pytest.mark.filterwarnings("error")
def test_no_warning():
    assert to_int("12") == 12
    assert to_int("-3") == -3


@pytest.mark.filterwarnings("error")
def test_warning():
    with pytest.raises(UserWarning):
        to_int(" 1")
