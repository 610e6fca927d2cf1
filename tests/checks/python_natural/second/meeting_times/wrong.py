from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo


def meeting_times(start: datetime, zones: list[str]) -> dict[str, str]:
    if start.tzinfo is None:
        raise ValueError("start must be timezone-aware")
    return {name: start.astimezone(ZoneInfo(name)).strftime("%Y-%m-%d %H:%M %Z") for name in zones}


def weekly(start: datetime, count: int) -> list[datetime]:
    utc = start.astimezone(timezone.utc)
    return [(utc + timedelta(weeks=week)).astimezone(start.tzinfo) for week in range(count)]
