# --- prompt
# `age(birthday)` in whole years as of today.
# --- right
from datetime import date


def age(birthday):
    today = date.today()
    return today.year - birthday.year - ((today.month, today.day) < (birthday.month, birthday.day))
# --- wrong
from datetime import date


def age(birthday):
    today = date.today()
    return today.year - birthday.year
# --- tests
from datetime import date

from freezegun import freeze_time

from solution import age


def test_age():
    with freeze_time("2024-02-28"):
        assert age(date(2000, 2, 29)) == 23
    with freeze_time("2024-02-29"):
        assert age(date(2000, 2, 29)) == 24
