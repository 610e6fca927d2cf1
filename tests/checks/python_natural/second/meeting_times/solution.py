from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def _zone(name):
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"unknown time zone: {name}") from None


def meeting_times(start: datetime, zones: list[str]) -> dict[str, str]:
    if start.tzinfo is None or start.utcoffset() is None:
        raise ValueError("start must be timezone-aware")
    return {name: start.astimezone(_zone(name)).strftime("%Y-%m-%d %H:%M %Z") for name in zones}


def weekly(start: datetime, count: int) -> list[datetime]:
    return [start + timedelta(weeks=week) for week in range(count)]
