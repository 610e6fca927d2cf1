from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from solution import clean_readings, daily_summary


@pytest.fixture
def raw():
    return pd.read_csv(Path(__file__).with_name("readings.csv"))


@pytest.fixture
def clean(raw):
    return clean_readings(raw)


def test_clean(clean):
    expected = pd.DataFrame(
        {
            "sensor": ["north"] * 4 + ["south"] * 2,
            "time": pd.to_datetime(
                [
                    "2026-01-01 09:00",
                    "2026-01-01 10:00",
                    "2026-01-01 11:00",
                    "2026-01-02 08:00",
                    "2026-01-01 10:30",
                    "2026-01-01 11:30",
                ]
            ),
            "value": [1.0, 2.5, 2.5, 4.0, 3.333, 3.335],
        }
    )
    assert_frame_equal(clean, expected, check_dtype=False)


def test_index_and_types(clean):
    assert list(clean.index) == list(range(len(clean)))
    assert pd.api.types.is_datetime64_any_dtype(clean["time"])
    assert clean["value"].dtype == float
    assert not clean.isna().any().any()


def test_fill_does_not_cross_sensors(clean):
    assert clean.loc[clean["sensor"] == "south", "value"].min() == 3.333


def test_input_is_not_changed(raw):
    before = raw.copy(deep=True)
    clean_readings(raw)
    assert_frame_equal(raw, before)


def test_idempotent(clean):
    assert_frame_equal(clean_readings(clean), clean)


def test_extra_columns_are_left_out(raw):
    assert clean_readings(raw.assign(note="x")).columns.tolist() == ["sensor", "time", "value"]


def test_daily_summary(raw):
    summary = daily_summary(raw)
    assert summary.index.names == ["sensor", "day"]
    assert summary.index.tolist() == [
        ("north", date(2026, 1, 1)),
        ("north", date(2026, 1, 2)),
        ("south", date(2026, 1, 1)),
    ]
    assert summary.loc[("north", date(2026, 1, 1))].to_dict() == {"min": 1.0, "max": 2.5, "mean": 2.0, "count": 3.0}
    assert summary["mean"].tolist() == [2.0, 4.0, 3.33]


@pytest.mark.parametrize("column", ["sensor", "time", "value"])
def test_missing_column(raw, column):
    with pytest.raises(KeyError, match=column):
        clean_readings(raw.drop(columns=column))
