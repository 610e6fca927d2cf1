from datetime import date, timedelta


def parse_range(text):
    start, end = text.split("..")
    return date.fromisoformat(start), date.fromisoformat(end)


def workdays(start, end):
    count = 0
    while start < end:
        if start.weekday() <= 5:
            count += 1
        start += timedelta(days=1)
    return count


def overlap(first, second):
    start = max(first[0], second[0])
    end = max(first[1], second[1])
    if start >= end:
        return None
    return start, end
