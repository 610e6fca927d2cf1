# --- prompt
# `is_leap(year)` in the Gregorian calendar.
# --- right
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
# --- wrong
def is_leap(year):
    return year % 4 == 0
# --- tests
import pytest

from solution import is_leap


@pytest.mark.parametrize("year, leap", [(2024, True), (2023, False), (1900, False), (2000, True)])
def test_leap(year, leap):
    assert is_leap(year) == leap


@pytest.mark.xfail(reason="text is not supported yet")
def test_text():
    assert is_leap("2024")
