from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from solution import meeting_times, weekly

BERLIN = ZoneInfo("Europe/Berlin")


def test_several_zones():
    start = datetime(2026, 7, 1, 14, 30, tzinfo=timezone.utc)
    assert meeting_times(start, ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kolkata"]) == {
        "Europe/Berlin": "2026-07-01 16:30 CEST",
        "America/New_York": "2026-07-01 10:30 EDT",
        "Asia/Tokyo": "2026-07-01 23:30 JST",
        "Asia/Kolkata": "2026-07-01 20:00 IST",
    }


def test_other_day():
    start = datetime(2026, 1, 1, 2, 0, tzinfo=BERLIN)
    assert meeting_times(start, ["America/Los_Angeles"])["America/Los_Angeles"] == "2025-12-31 17:00 PST"


def test_naive():
    with pytest.raises(ValueError, match="timezone-aware"):
        meeting_times(datetime(2026, 1, 1), ["UTC"])


def test_unknown_zone():
    with pytest.raises(ValueError, match="Mars/Olympus"):
        meeting_times(datetime(2026, 1, 1, tzinfo=timezone.utc), ["UTC", "Mars/Olympus"])


def test_weekly_across_daylight_saving():
    dates = weekly(datetime(2026, 3, 23, 9, 0, tzinfo=BERLIN), 3)
    assert [d.hour for d in dates] == [9, 9, 9]
    assert [d.utcoffset() for d in dates] == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=2)]
    assert dates[1].astimezone(timezone.utc) == datetime(2026, 3, 30, 7, 0, tzinfo=timezone.utc)
    assert all(d.tzinfo is BERLIN for d in dates)


def test_weekly_none():
    assert weekly(datetime(2026, 3, 23, tzinfo=BERLIN), 0) == []
