from datetime import date, timedelta


def parse_range(text):
    start, separator, end = text.strip().partition("..")
    first = date.fromisoformat(start)
    if end:
        last = date.fromisoformat(end)
    elif separator:
        last = date(first.year, 12, 31)
    else:
        last = first
    return first, last


def workdays(start, end):
    count = 0
    while start <= end:
        if start.weekday() < 5:
            count += 1
        start += timedelta(days=1)
    return count


def overlap(first, second):
    start = max(first[0], second[0])
    end = min(first[1], second[1])
    if start >= end:
        return None
    return start, end
