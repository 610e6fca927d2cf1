import csv
from datetime import date
from pathlib import Path

import pytest

from dateranges import overlap, parse_range, workdays

with open(Path(__file__).parent / "ranges.csv", newline="") as handle:
    ROWS = list(csv.DictReader(handle))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_table(row):
    start, end = parse_range(row["text"])
    assert start.isoformat() == row["start"]
    assert end.isoformat() == row["end"]
    assert workdays(start, end) == int(row["workdays"])


def test_backwards():
    with pytest.raises(ValueError):
        parse_range("2026-02-01..2026-01-01")


def test_garbage():
    with pytest.raises(ValueError):
        parse_range("tomorrow")


JANUARY = (date(2026, 1, 1), date(2026, 1, 31))


@pytest.mark.parametrize(
    "other, common",
    [
        ((date(2026, 1, 20), date(2026, 2, 10)), (date(2026, 1, 20), date(2026, 1, 31))),
        ((date(2026, 1, 31), date(2026, 2, 10)), (date(2026, 1, 31), date(2026, 1, 31))),
        ((date(2025, 1, 1), date(2027, 1, 1)), JANUARY),
        ((date(2026, 2, 1), date(2026, 2, 2)), None),
    ],
)
def test_overlap(other, common):
    assert overlap(JANUARY, other) == common
    assert overlap(other, JANUARY) == common
